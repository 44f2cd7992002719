import { bulkChangeFailures, type BulkChangeFailureCode } from '@roster/contract';

/** A bulk change cannot be done, and a new attempt would not help. */
export class BulkChangeFailure extends Error {
  override readonly name = 'BulkChangeFailure';
  readonly code: BulkChangeFailureCode;

  constructor(code: BulkChangeFailureCode, options?: ErrorOptions) {
    super(bulkChangeFailures[code], options);
    this.code = code;
  }
}
