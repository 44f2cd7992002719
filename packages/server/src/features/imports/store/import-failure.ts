import { importFailures, type ImportFailureCode } from '@roster/contract';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';

/**
 * An import fails as a whole, and another attempt would not help. The operator sees the message.
 */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly code: ImportFailureCode;
  /** The columns that were found before the failure. */
  readonly columns: readonly FoundColumn[];

  /** `message`: default: the message of the catalogue. */
  constructor(
    code: ImportFailureCode,
    message: string = importFailures[code],
    { columns = [], ...options }: ErrorOptions & { readonly columns?: readonly FoundColumn[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.columns = columns;
  }
}
