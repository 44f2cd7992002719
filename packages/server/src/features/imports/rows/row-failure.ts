import { importRowFailures, type ImportRowFailureCode } from '@roster/contract';

/** Why a row was not applied, or a value of it left out. */
export interface RowFailure {
  /** Header of the column; empty for the row as a whole. */
  readonly column: string;
  readonly code: string;
  readonly message: string;
  /** True when the rest of the row was applied. */
  readonly warning: boolean;
}

/** A failure out of the catalogue. */
export function rowFailure(code: ImportRowFailureCode, column = ''): RowFailure {
  return { column, code, ...importRowFailures[code] };
}
