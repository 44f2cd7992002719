import type { FailureCode } from '@roster/contract';

/** Why an item of a request on attributes cannot be applied. */
export interface Refusal {
  readonly code: FailureCode;
  /** The path inside the item; empty for the whole item. */
  readonly field: string;
  readonly message: string;
}
