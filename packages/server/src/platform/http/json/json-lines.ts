import type { Faults } from '@roster/contract';
import { tryJson } from './parse-json.ts';

/** The records of a body of lines, and where they stand. */
export interface JsonLines {
  readonly records: readonly unknown[];
  /** The line of each record, counted from 1; blank lines have no record. */
  readonly numbers: readonly number[];
  /** Indexes of the records whose lines are not JSON. */
  readonly broken: ReadonlySet<number>;
}

/** Reads one record a line, at most one more than `most`: so many are a fault of their own, and what follows is not worth reading. */
export function parseLines(text: string, most: number): JsonLines {
  const records: unknown[] = [];
  const numbers: number[] = [];
  const broken = new Set<number>();
  everyLine(text, (line, number) => {
    const record = tryJson(line);
    if (record === undefined) broken.add(records.length);
    records.push(record ?? null);
    numbers.push(number);
    return records.length <= most;
  });
  return { records, numbers, broken };
}

/** Gives the lines of a text that are not blank, without the space around them, and their numbers to `take` until that is false. */
function everyLine(text: string, take: (line: string, number: number) => boolean): void {
  for (let from = 0, number = 1; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line !== '' && !take(line, number)) return;
  }
}

/** Makes the faults of a body of lines name the lines: `line 17.identity` instead of `data[16].identity`. */
export function nameLines({ numbers, broken }: JsonLines, { list }: Faults): void {
  for (const [at, fault] of list.entries()) {
    const match = /^data\[(\d+)\](.*)$/s.exec(fault.field);
    if (match === null) continue;
    const index = Number(match[1]);
    const field = `line ${numbers[index]}${match[2]}`;
    list[at] = broken.has(index)
      ? { code: 'invalid_format', field, message: 'is not valid JSON. Each line must be one record' }
      : { ...fault, field };
  }
}
