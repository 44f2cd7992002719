import { importFailures, type ImportFailureCode } from '@roster/contract';
import type { FoundColumn } from '#platform/database/schema/import-tables.ts';

/** Why an import as a whole cannot be done, in a sentence that the operator is told; trying again would not help. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure';
  readonly code: ImportFailureCode;
  /** The columns, as far as they were found. */
  readonly columns: readonly FoundColumn[];

  /** `message`: what exactly is wrong; default: the sentence of the catalogue. */
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
