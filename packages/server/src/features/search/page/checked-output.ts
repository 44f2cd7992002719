import type { StoredValue } from '#features/registry/registry.ts';
import type { Field } from '../filter/fields.ts';

/** One key of a sorting. */
export interface SortKey {
  readonly field: Field;
  readonly descending: boolean;
}

/** A field of the answer: what it is and how the caller spelled it. */
export interface OutputField {
  readonly name: string;
  readonly field: Field;
}

/** Where a page ended: the value of every sort key of its last row, `contact_id` last. */
export type CursorPosition = readonly (StoredValue | null)[];

/** What a search answers with, checked against the registry. Immutable. */
export interface CheckedOutput {
  readonly getCount: boolean;
  /** Ends with `contact_id`, so that no two contacts are equal. */
  readonly sorting: readonly SortKey[];
  /** Most rows of the page. */
  readonly limit: number;
  /** Matches before the page; 0 with a cursor. */
  readonly offset: number;
  /** The page begins after this position. */
  readonly after?: CursorPosition;
  readonly fields: readonly OutputField[];
}
