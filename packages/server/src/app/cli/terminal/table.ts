import { isDeepStrictEqual } from 'node:util';
import { paint, printable, type Cell, type Output } from './output.ts';

/**
 * Rows that are laid out together. To find gaps, cli-table3 compares each cell with all cells
 * before it. So its time is quadratic in the number of rows.
 */
const rowsPerBlock = 50;

const noLines = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((part) => [part, '']),
);

type Rows = readonly (readonly Cell[])[];

/** Formats the next rows of a table as text. The first text begins with the headers. */
export type TableFormatter = (rows: Rows) => string;

/**
 * Starts a table whose rows are not all known yet. The columns fit the rows so far, and become wider
 * when later rows need it. Two spaces separate the columns; headers are bold on a terminal.
 */
export async function startTable({ terminal }: Output, headers: readonly string[]): Promise<TableFormatter> {
  // Loaded here and not at the top, so that `roster serve` and other commands start faster.
  const { default: Table } = await import('cli-table3');
  let head = headers.map((text) => paint('bold', text, terminal));
  let widths: readonly number[] = [];

  const layOut = (rows: Rows, first: readonly string[], colWidths: readonly number[]) => {
    const block = new Table({
      head: [...first],
      colWidths: [...colWidths],
      chars: { ...noLines, middle: '  ' },
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    });
    block.push(...rows.map((row) => row.map((cell) => printable(cell))));
    // This also computes `colWidths` from the cells, where they are not given.
    const text = trimmed(block.toString());
    return { text, widths: block.options.colWidths.map((width) => width ?? 0) };
  };

  return (rows) => {
    const blocks = blocksOf(rows).map((block, at) => ({ block, first: at === 0 ? head : [] }));
    head = [];
    const measured = blocks.map(({ block, first }) => ({ block, first, ...layOut(block, first, []) }));
    const count = Math.max(widths.length, ...measured.map((one) => one.widths.length));
    widths = Array.from({ length: count }, (_, column) =>
      Math.max(widths[column] ?? 0, ...measured.map((one) => one.widths[column] ?? 0)),
    );
    return measured
      .map(({ block, first, ...one }) =>
        isDeepStrictEqual(one.widths, widths) ? one.text : layOut(block, first, widths).text,
      )
      .join('\n');
  };
}

/** Formats a table as text. */
export async function table(output: Output, headers: readonly string[], rows: Rows): Promise<string> {
  return (await startTable(output, headers))(rows);
}

function blocksOf(rows: Rows): Rows[] {
  const count = Math.max(1, Math.ceil(rows.length / rowsPerBlock));
  return Array.from({ length: count }, (_, at) => rows.slice(at * rowsPerBlock, (at + 1) * rowsPerBlock));
}

const trimmed = (text: string): string => text.replaceAll(/ +$/gm, '');
