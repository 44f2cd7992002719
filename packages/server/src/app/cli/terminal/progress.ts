import { bytes } from './output.ts';
import type { Terminal } from './terminal.ts';

/** A progress bar. Disposing it removes the bar. */
export interface Progress extends Disposable {
  /** Moves the bar. `total` may be undefined at first, and may change later. */
  update(done: number, total: number | undefined, note?: string): void;
}

/** The unit of the numbers at the bar. */
export type Unit = 'rows' | 'bytes' | 'percent';

/** A bar that shows nothing. */
export const noProgress: Progress = { update: () => undefined, [Symbol.dispose]: () => undefined };

/**
 * Prepares a progress bar on standard error, which appears with its first update. If standard error
 * is not a terminal, nothing is written.
 */
export async function startProgress(terminal: Terminal, label: string, unit: Unit): Promise<Progress> {
  if (terminal.stderr.isTTY !== true) return noProgress;
  // Loaded only when needed, so that other commands start faster. It is a CommonJS module: its
  // exports are in `default`.
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
  let isStarted = false;
  return {
    update(done, total, note = '') {
      if (!isStarted) bar.start(unit === 'percent' ? 100 : 0, 0, { note: '' });
      isStarted = true;
      if (total !== undefined) bar.setTotal(total);
      bar.update(done, { note });
    },
    [Symbol.dispose]() {
      if (isStarted) bar.stop();
      isStarted = false;
    },
  };
}

/**
 * Yields the chunks of a file and updates the progress bar with the bytes so far.
 *
 * The file is opened when the first chunk is read.
 */
export async function* countedBytes(
  open: () => AsyncIterable<Uint8Array>,
  progress: Progress,
  total: number | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of open()) {
    bytes += chunk.byteLength;
    progress.update(bytes, total);
    yield chunk;
  }
}

/** Formats a number with its unit: `1,250 rows`, `81.3 kB`. */
function amount(value: number, unit: Exclude<Unit, 'percent'>): string {
  return unit === 'rows' ? `${value.toLocaleString('en')} rows` : bytes(value);
}
