import type { ApiErrorCode } from '@roster/contract';
import { ApiError } from '#platform/errors/api-error.ts';
import { GateRefusal, type FairGate, type Leave } from './fair-gate.ts';

/** The error code for a caller whose own account uses all slots that it may have. */
export type OwnRefusal = Extract<
  ApiErrorCode,
  'overloaded' | 'too_many_searches' | 'too_many_large_bodies' | 'too_many_requests_in_flight' | 'pipeline_busy'
>;

// Seconds. The caller has waited already, so most of the work ahead of it is nearly done.
const retryAfter = 5;

/**
 * Enters a gate. Throws an {@link ApiError}: `own` when the key uses all its slots, `overloaded`
 * when other keys do. Throws the reason of the signal when the signal is aborted.
 */
export async function enterGate<Key>(
  gate: FairGate<Key>,
  key: Key,
  own: OwnRefusal,
  signal?: AbortSignal,
): Promise<Leave> {
  try {
    return await gate.enter(key, signal);
  } catch (error) {
    throw asApiError(error, own);
  }
}

/** Throws the error of {@link enterGate} if the gate would refuse the key at once. */
export function refuseIfFull<Key>(gate: FairGate<Key>, key: Key, own: OwnRefusal): void {
  try {
    gate.refuseIfFull(key);
  } catch (error) {
    throw asApiError(error, own);
  }
}

function asApiError(error: unknown, own: OwnRefusal): unknown {
  if (!(error instanceof GateRefusal)) return error;
  return new ApiError(error.by === 'key' ? own : 'overloaded', {
    params: { seconds: retryAfter },
    headers: { 'retry-after': String(retryAfter) },
    cause: error,
  });
}
