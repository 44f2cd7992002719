import { isDiskFull } from '#platform/files/disk-full.ts';

/** Why an export can never be completed, in a sentence that the caller is told; trying again would not help. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';
}

/** The sentence for callers when the cause is ours: the log has the rest. */
export const internalFailure = 'An internal error occurred. Search the log for the request_id.';

/** The sentence for callers when the store of files failed in every attempt. */
export const storageFailure = 'The store of files could not be used; an operator has to look at it';

/** The sentence for callers after an operator stopped the export. */
export const cancelledByOperator = 'An operator cancelled the export.';

/** The failure that an error means for good; undefined when trying again can help. */
export function finalFailure(error: unknown): ExportFailure | undefined {
  if (error instanceof ExportFailure) return error;
  if (isDiskFull(error)) {
    return new ExportFailure('The file store has no space left for the file. An operator must free some.', {
      cause: error,
    });
  }
  return undefined;
}
