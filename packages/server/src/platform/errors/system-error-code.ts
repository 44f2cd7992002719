/** Returns the code of a failed system call (`ENOENT`, `EACCES`, …); undefined for other errors. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
