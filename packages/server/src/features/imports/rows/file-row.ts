import type { ImportRowFailureCode } from '@roster/contract';

/** A field of a JSON object. */
export interface JsonField {
  /** As it is spelled in the object, inside `attributes` with this word in front: `attributes.City`. */
  readonly key: string;
  readonly value: unknown;
  /** True when another key of the object means the same, such as `email` next to `EMAIL`. */
  readonly isRepeated?: boolean;
}

/** A row of a file before anything is known of its columns. */
export interface RawRow {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** Bytes of the decoded file up to its end. */
  readonly end: number;
  /**
   * Cells of CSV, where null is nothing and `''` is an empty text that was written as `""`; or the fields of a JSON object by their
   * names as {@link nameOf} makes them.
   */
  readonly cells: readonly (string | null)[] | ReadonlyMap<string, JsonField>;
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

/** True for the fields of a JSON object, false for the cells of CSV. */
export function isJson(cells: RawRow['cells']): cells is ReadonlyMap<string, JsonField> {
  return cells instanceof Map;
}
