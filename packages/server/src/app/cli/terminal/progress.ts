import { showsProgress, type Terminal } from './terminal.ts';

/** A bar that shows how far something is; on a terminal only. */
export interface Progress extends Disposable {
  /** `total` can become known, or more exact, later. */
  update(done: number, total: number | undefined, note?: string): void;
}

/** What is counted, and how its numbers are written. */
export type Unit = 'rows' | 'bytes' | 'percent';

/** Begins a bar on standard error; disposing it ends its line. Where nobody watches, nothing is written. */
export async function startProgress(terminal: Terminal, label: string, unit: Unit): Promise<Progress> {
  if (!showsProgress(terminal)) return { update: () => undefined, [Symbol.dispose]: () => undefined };
  // Not before somebody watches: every command and the service itself begin here. A CommonJS module has no named exports.
  const { Format, SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    stream: terminal.stderr,
    format: (options, { progress, value, total }, payload: { note?: string }) => {
      const share = `${Format.BarFormat(progress, options)} ${Math.floor(progress * 100)} %`;
      const counted =
        unit === 'percent'
          ? share
          : total > 0
            ? `${share} · ${amount(value, unit)} of ${amount(total, unit)}`
            : amount(value, unit);
      return `${label} ${counted}${payload.note === undefined || payload.note === '' ? '' : ` · ${payload.note}`}`;
    },
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    linewrap: false,
  });
  bar.start(unit === 'percent' ? 100 : 0, 0, { note: '' });
  return {
    update(done, total, note = '') {
      if (total !== undefined) bar.setTotal(total);
      bar.update(done, { note });
    },
    [Symbol.dispose]: () => bar.stop(),
  };
}

/**
 * Passes the pieces of a file on, and shows how many of its `total` bytes have passed.
 *
 * The file is opened when the first piece is wanted.
 */
export async function* countedBytes(
  open: () => AsyncIterable<Uint8Array>,
  progress: Progress,
  total: number | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of open()) {
    bytes += piece.byteLength;
    progress.update(bytes, total);
    yield piece;
  }
}

/** A number for people: `1,250 rows`, `81.3 kB`. */
function amount(value: number, unit: Exclude<Unit, 'percent'>): string {
  if (unit === 'rows') return `${value.toLocaleString('en')} rows`;
  const step = value >= 1e9 ? 'gigabyte' : value >= 1e6 ? 'megabyte' : value >= 1e3 ? 'kilobyte' : 'byte';
  const divisor = { gigabyte: 1e9, megabyte: 1e6, kilobyte: 1e3, byte: 1 }[step];
  const shown = new Intl.NumberFormat('en', { style: 'unit', unit: step, maximumFractionDigits: 1 });
  return shown.format(value / divisor);
}
