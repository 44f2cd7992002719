import { isOverQuota } from '#features/accounts/stored-files/file-quota.ts';
import { isDiskFull } from '#platform/files/storage-fault.ts';

/** An export cannot be completed, and a new attempt would not help. The caller sees the message. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';
}

/** The message for the caller when an unexpected error occurred. The log has the details. */
export const internalFailure = 'An internal error occurred. Search the log for the request_id.';

/** The message for the caller when the file store failed in every attempt. */
export const storageFailure = 'The file store failed in every attempt. An operator must check it.';

/** The message for the caller when an operator cancelled the export. */
export const cancelledByOperator = 'An operator cancelled the export.';

/** Returns the failure when another attempt cannot help; undefined when it can. */
export function finalFailure(error: unknown): ExportFailure | undefined {
  if (error instanceof ExportFailure) return error;
  if (isOverQuota(error)) return new ExportFailure(error.message, { cause: error });
  if (isDiskFull(error)) {
    return new ExportFailure('The file store has no space left for the file. An operator must free some.', {
      cause: error,
    });
  }
  return undefined;
}
