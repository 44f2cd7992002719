import type { FailureCode } from '@roster/contract';

/** Why an item of a request on the registry cannot be applied: a failure of the catalogue, where, and what exactly. */
export interface Refusal {
  readonly code: FailureCode;
  /** Path below the item; empty for the item as a whole. */
  readonly field: string;
  readonly message: string;
}
