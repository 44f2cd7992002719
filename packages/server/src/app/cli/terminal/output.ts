import { styleText } from 'node:util';
import { write, type Terminal } from './terminal.ts';

/** A cell of a table; null and undefined are empty. */
export type Cell = string | number | boolean | null | undefined;

/** Writes the result and the notes of a command. */
export interface Output {
  readonly terminal: Terminal;
  /** True when `--json` asked for JSON. */
  readonly json: boolean;
  /** Writes the result to standard output: `value` as JSON with `--json`, otherwise `text`. */
  result(value: unknown, text: () => string | Promise<string>): Promise<void>;
  /** Writes a line to standard error. */
  note(text: string): Promise<void>;
}

/** Creates the output of a command. */
export function createOutput(terminal: Terminal, json: boolean): Output {
  return {
    terminal,
    json,
    async result(value, text) {
      await write(terminal.stdout, `${json ? JSON.stringify(value, null, 2) : await text()}\n`);
    },
    note: (text) => write(terminal.stderr, `${text}\n`),
  };
}

/** Formats one record as text, one line per field. */
export function fields({ terminal }: Output, entries: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${paint('bold', name.padEnd(width), terminal)}  ${printable(value)}`.trimEnd())
    .join('\n');
}

/** Formats a number of bytes: `82 bytes`, `81.3 kB`. */
export function bytes(value: number): string {
  const unit = value >= 1e9 ? 'gigabyte' : value >= 1e6 ? 'megabyte' : value >= 1e3 ? 'kilobyte' : 'byte';
  const divisor = { gigabyte: 1e9, megabyte: 1e6, kilobyte: 1e3, byte: 1 }[unit];
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const shown = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  return shown.format(value / divisor);
}

/** Styles a text. It stays plain if standard output is not a terminal, or if NO_COLOR is set. */
export function paint(style: Parameters<typeof styleText>[0], text: string, { stdout }: Terminal): string {
  return stdout.isTTY === true ? styleText(style, text, { stream: stdout }) : text;
}

/** Replaces control characters: a name in the data must not be able to control the terminal. */
export function printable(cell: Cell): string {
  // oxlint-disable-next-line no-control-regex
  return String(cell ?? '').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD');
}
