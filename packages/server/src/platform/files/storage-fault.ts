/** The store of files failed: it is full, refuses us, is missing, or does not respond. `cause` is the error of the file system or of S3. */
export class StorageFault extends Error {
  override readonly name = 'StorageFault';

  constructor(cause: unknown) {
    super(`The store of files failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The error itself when it is a {@link StorageFault} already. */
export function asStorageFault(error: unknown): StorageFault {
  return error instanceof StorageFault ? error : new StorageFault(error);
}
