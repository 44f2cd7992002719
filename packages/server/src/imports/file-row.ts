import type { ImportRowFailureCode } from '@roster/contract';

/** A row of a file before anything is known of its columns. */
export interface RawRow {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** Bytes of the decoded file up to its end. */
  readonly end: number;
  /** Cells of CSV, or the fields of a JSON object by their keys, those inside `attributes` as `attributes.KEY`. */
  readonly cells: readonly string[] | Map<string, unknown>;
  /** Why the row cannot be read; `cells` have its text then. */
  readonly fault?: ImportRowFailureCode;
}

/** Most bytes of a row: a contact has at most half of that. */
export const mostRowBytes = 2 * 1024 * 1024;

/** Bytes of a broken row that are shown. */
const shownBytes = 1000;

/** What a file of failures shows of a row that cannot be read. */
export function shownText(bytes: Buffer): string[] {
  return [bytes.subarray(0, shownBytes).toString().trimEnd()];
}
