import type { PipelineOperation } from './payload.ts';
import type { StoredPayload } from './stored-payload.ts';

/** An accepted request, or one part of it, that waits in the queue. */
export interface WaitingRequest {
  readonly requestId: string;
  /** The number of the lane in which it waits. */
  readonly lane: number;
  readonly seq: number;
  /** Number of the part in its request, from 1; 0 for a request with one part. */
  readonly part: number;
  /** Number of parts of the request. */
  readonly parts: number;
  /** The indexes of the items of a part in its request; undefined for a request with one part. */
  readonly itemIndexes: readonly number[] | undefined;
  readonly operation: PipelineOperation;
  /** The payload of the whole request. The parts of a request in one batch share it. */
  readonly payload: StoredPayload;
  /** Number of items of the request or of the part. */
  readonly total: number;
  readonly acceptedAt: Date;
  /** Number of noted attempts to apply it (`poison-requests.ts`); nearly always 0. */
  readonly attempts: number;
}

/**
 * A request is given up after this many noted attempts: one in the first batch of a process, one in
 * a small batch of suspected requests, and three in which it was applied alone.
 */
const attemptsBeforeGivingUp = 5;

/** True when a worker was killed while it applied the request, maybe because of it. */
export function isSuspected(request: WaitingRequest): boolean {
  return request.attempts > 0;
}

/** True when so many attempts were killed that the request itself must be the cause. */
export function isGivenUp(request: WaitingRequest): boolean {
  return request.attempts >= attemptsBeforeGivingUp;
}
