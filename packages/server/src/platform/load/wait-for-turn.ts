import type { ApiErrorCode } from '@roster/contract';
import { ApiError } from '#platform/errors/api-error.ts';
import { GateRefusal, type FairGate, type Leave } from './fair-gate.ts';

/** What a caller is told who got no place because its own account has all that it may have. */
export type OwnRefusal = Extract<
  ApiErrorCode,
  'too_many_searches' | 'too_many_large_bodies' | 'too_many_requests_in_flight' | 'pipeline_busy'
>;

// Who was refused has waited already; what stands in the way is mostly done by then.
const retryAfter = 5;

/**
 * Enters a gate for a caller. Throws an {@link ApiError}: `own` when the key has all its places, `overloaded` when others have them; or the
 * reason of the signal.
 */
export async function waitForTurn<Key>(
  gate: FairGate<Key>,
  key: Key,
  own: OwnRefusal,
  signal?: AbortSignal,
): Promise<Leave> {
  try {
    return await gate.enter(key, signal);
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    throw new ApiError(error.by === 'key' ? own : 'overloaded', {
      params: { seconds: retryAfter },
      headers: { 'retry-after': String(retryAfter) },
      cause: error,
    });
  }
}
