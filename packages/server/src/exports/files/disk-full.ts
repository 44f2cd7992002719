const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** True for an error of a store without space for a file, or whose quota is used up: trying again does not help until somebody frees some. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codes.has(error.code);
}
