const diskFullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * The file store failed: it is full, refuses access, is missing, or does not respond. `cause` is
 * the error of the file system or of S3.
 */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';

  constructor(cause: unknown) {
    super(`The file store failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Wraps an error in a {@link StorageFault}, unless it is one already. */
export function asStorageFault(error: unknown): StorageFault {
  return error instanceof StorageFault ? error : new StorageFault(error);
}

/** True when a store has no space left, or its quota is used up. A retry does not help. */
export function isDiskFull(error: unknown): boolean {
  const reason = error instanceof StorageFault ? error.cause : error;
  return reason instanceof Error && 'code' in reason && diskFullCodes.has(reason.code);
}
