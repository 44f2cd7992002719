import { isReadOnlyError } from '../connection/database.ts';
import { NodeDown } from '../connection/node-down.ts';

/**
 * True when work failed only because a server is down or read-only, also when another error has that
 * as its cause. Such work can wait, however often it fails.
 */
export function isServerAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NodeDown || isReadOnlyError(cause)) return true;
  }
  return false;
}
