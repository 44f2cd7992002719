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

const noLines = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((part) => [part, '']),
);

/** Formats a table as text. Two spaces separate the columns; headers are bold on a terminal. */
export async function table(
  { terminal }: Output,
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<string> {
  // Loaded here and not at the top, so that `roster serve` and other commands start faster.
  const { default: Table } = await import('cli-table3');
  const shown = new Table({
    head: headers.map((text) => paint('bold', text, terminal)),
    chars: { ...noLines, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  shown.push(...rows.map((row) => row.map((cell) => printable(cell))));
  return trimmed(shown.toString());
}

/** Formats one record as text, one line per field. */
export function fields({ terminal }: Output, entries: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${paint('bold', name.padEnd(width), terminal)}  ${printable(value)}`.trimEnd())
    .join('\n');
}

/** Styles a text. It stays plain if standard output is not a terminal, or if NO_COLOR is set. */
export function paint(style: Parameters<typeof styleText>[0], text: string, { stdout }: Terminal): string {
  return stdout.isTTY === true ? styleText(style, text, { stream: stdout }) : text;
}

/** Replaces control characters: a name in the data must not be able to control the terminal. */
function printable(cell: Cell): string {
  // oxlint-disable-next-line no-control-regex
  return String(cell ?? '').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\uFFFD');
}

const trimmed = (text: string): string => text.replaceAll(/ +$/gm, '');
