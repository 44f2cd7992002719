import type { StoredValue } from '#features/registry/registry.ts';
import type { Field } from '../filter/fields.ts';

/** One sort key. */
export interface SortKey {
  readonly field: Field;
  readonly descending: boolean;
}

/** A field of the response, with the name as the caller spelled it. */
export interface OutputField {
  readonly name: string;
  readonly field: Field;
}

/** The end of a page: the values of all sort keys in its last row, with `contact_id` last. */
export type CursorPosition = readonly (StoredValue | null)[];

/** The `output` of a search, checked against the registry. Immutable. */
export interface CheckedOutput {
  readonly getCount: boolean;
  /** Ends with `contact_id`, so that the order of any two contacts is defined. */
  readonly sorting: readonly SortKey[];
  /** Maximum number of rows of the page. */
  readonly limit: number;
  /** Number of matches to skip before the page; 0 with a cursor. */
  readonly offset: number;
  /** The page starts after this position. */
  readonly after?: CursorPosition;
  readonly fields: readonly OutputField[];
}
