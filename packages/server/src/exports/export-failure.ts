import { isDiskFull } from './files/disk-full.ts';

/** Why an export can never be completed, in a sentence that the caller is told; trying again would not help. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';
}

/** The sentence for callers when the cause is ours: the log has the rest. */
export const internalFailure = 'Something went wrong here; the request_id finds it in the log';

/** The sentence for callers after an operator stopped the export. */
export const cancelledByOperator = 'An operator cancelled the export';

/** The failure that an error means for good; undefined when trying again can help. */
export function finalFailure(error: unknown): ExportFailure | undefined {
  if (error instanceof ExportFailure) return error;
  if (isDiskFull(error)) {
    return new ExportFailure('There is no space left for the file; an operator has to free some', { cause: error });
  }
  return undefined;
}
