/** Returns the code of a failed system call (`ENOENT`, `EACCES`, …); undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Makes a handler for a rejected promise: it returns a value if a file does not exist, and throws
 * other errors.
 */
export const valueIfMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (systemErrorCode(error) === 'ENOENT') return value;
    throw error;
  };
