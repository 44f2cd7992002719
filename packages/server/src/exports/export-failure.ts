/** Why an export can never be completed, in a sentence that the caller is told; trying again would not help. */
export class ExportFailure extends Error {
  override readonly name = 'ExportFailure';
}

/** The sentence for callers when the cause is ours: the log has the rest. */
export const internalFailure = 'Something went wrong here; the request_id finds it in the log';

/** The sentence for callers after an operator stopped the export. */
export const cancelledByOperator = 'An operator cancelled the export';

const fullDisk = new Set(['ENOSPC', 'EDQUOT']);

/** The failure that an error means for good; undefined when trying again can help. */
export function finalFailure(error: unknown): ExportFailure | undefined {
  if (error instanceof ExportFailure) return error;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'string' && fullDisk.has(code)) {
    return new ExportFailure('There is no space left for the file; an operator has to free some', { cause: error });
  }
  return undefined;
}
