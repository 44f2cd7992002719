import type { FailureCode } from '@roster/contract';

/** A failure of one item, before it gets its message from the catalogue. */
export interface ItemFailure {
  readonly code: FailureCode;
  /** Path below the item, such as `attributes.CITY`. */
  readonly field?: string;
  /** A more exact message than the one of the catalogue. */
  readonly message?: string;
}

/** The outcome of one item of a request. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** Records that an item failed as a whole. */
export function fail(failures: ItemFailure[], failure: ItemFailure): 'failed' {
  // Remove the warnings. They would say that the rest of the item was applied.
  failures.length = 0;
  failures.push(failure);
  return 'failed';
}
