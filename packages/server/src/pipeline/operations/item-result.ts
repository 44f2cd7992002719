import type { FailureCode } from '@roster/contract';

/** A failure of one item, before it gets its message from the catalogue. */
export interface ItemFailure {
  readonly code: FailureCode;
  /** Path below the item, such as `attributes.CITY`. */
  readonly field?: string;
  /** What exactly is wrong; default: the message of the catalogue. */
  readonly message?: string;
}

/** What became of one item of a request. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** Records why an item failed as a whole. */
export function fail(failures: ItemFailure[], failure: ItemFailure): 'failed' {
  // Warnings of an item that is not applied would claim that the rest of it was.
  failures.length = 0;
  failures.push(failure);
  return 'failed';
}
