import { StorageFault } from './storage-fault.ts';

const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** True for an error of a store without space for a file, or whose quota is used up: trying again does not help until somebody frees some. */
export function isDiskFull(error: unknown): boolean {
  const reason = error instanceof StorageFault ? error.cause : error;
  return reason instanceof Error && 'code' in reason && codes.has(reason.code);
}
