import type { Faults } from '@roster/contract';
import { tryJson } from './parse-json.ts';

/** The records of a body of lines. */
export interface JsonLines {
  readonly records: readonly unknown[];
  /** The line number of each record, from 1. Blank lines have no record. */
  readonly numbers: readonly number[];
  /** The indexes of records whose lines are not JSON. */
  readonly broken: ReadonlySet<number>;
}

/** Reads one record from each line. Stops after `max` + 1 records, because more are a fault. */
export function parseLines(text: string, max: number): JsonLines {
  const records: unknown[] = [];
  const numbers: number[] = [];
  const broken = new Set<number>();
  everyLine(text, (line, number) => {
    const record = tryJson(line);
    if (record === undefined) broken.add(records.length);
    records.push(record ?? null);
    numbers.push(number);
    return records.length <= max;
  });
  return { records, numbers, broken };
}

/** Calls `take` with each trimmed, non-blank line and its number, until it returns false. */
function everyLine(text: string, take: (line: string, number: number) => boolean): void {
  for (let from = 0, number = 1; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? text.length : end).trim();
    from = end === -1 ? text.length : end + 1;
    if (line !== '' && !take(line, number)) return;
  }
}

/** Changes faults of a body of lines to name lines: `line 17.identity`, not `data[16].identity`. */
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
