import { unfinishedLength } from './decode.ts';
import { importRowFailures, type ImportRowFailureCode } from '@roster/contract';

/** A field of a JSON object. */
export interface JsonField {
  /** The key as the object spells it. A key inside `attributes` has a prefix: `attributes.City`. */
  readonly key: string;
  readonly value: unknown;
  /** True when another key of the object has the same meaning, such as `email` next to `EMAIL`. */
  readonly isRepeated?: boolean;
}

/** A row of a file before its columns are known. */
export interface RawRow {
  /** The line of the file on which the row begins, from 1. */
  readonly line: number;
  /** Position in the decoded file after the row, in bytes. */
  readonly end: number;
  /**
   * The cells of a CSV row, or the fields of a JSON object by their names (see {@link nameOf}).
   * A CSV cell is `''` when the file has `""`, and null when the file has nothing.
   */
  readonly cells: readonly (string | null)[] | ReadonlyMap<string, JsonField>;
  /** Why the row cannot be read. `cells` then contains the beginning of its text. */
  readonly fault?: ImportRowFailureCode;
}

/** Why a row was not applied, or why one of its values was left out. */
export interface RowFailure {
  /** Header of the column. Empty when the failure is about the whole row. */
  readonly column: string;
  readonly code: string;
  readonly message: string;
  /** True when the rest of the row was applied. */
  readonly warning: boolean;
}

/** Makes a failure of the catalogue. */
export function rowFailure(code: ImportRowFailureCode, column = ''): RowFailure {
  return { column, code, ...importRowFailures[code] };
}

/** Maximum size of a row in bytes. A contact can have about half of that. */
export const maxRowBytes = 2 * 1024 * 1024;

/** How many bytes of a row that cannot be read are shown. */
export const shownBytes = 1000;

/**
 * Returns the text of a row that cannot be read, for the file of failures. A text that is cut ends
 * with `…`, so that nobody imports it as if it were whole.
 */
export function shownText(bytes: Buffer, isCut = bytes.length > shownBytes): string[] {
  if (!isCut) return [bytes.toString().trimEnd()];
  const shown = bytes.subarray(0, shownBytes);
  return [`${shown.subarray(0, shown.length - unfinishedLength(shown)).toString()}…`];
}

/** Returns true for the fields of a JSON object, and false for the cells of a CSV row. */
export function isJson(cells: RawRow['cells']): cells is ReadonlyMap<string, JsonField> {
  return cells instanceof Map;
}
