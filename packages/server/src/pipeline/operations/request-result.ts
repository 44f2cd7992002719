import type { Database } from '#platform/database/connection/database.ts';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import type { ItemFailure } from './item-result.ts';
import type { PipelineContext } from './operation.ts';
import type { Operation } from './payload.ts';

/** An accepted request that waits in the queue. */
export interface WaitingRequest {
  readonly requestId: string;
  readonly seq: number;
  readonly operation: Operation;
  readonly payload: Buffer;
  readonly codec: 'json' | 'zstd';
  readonly total: number;
  readonly acceptedAt: Date;
  /** Number of noted attempts to apply it (`poison-requests.ts`); nearly always 0. */
  readonly attempts: number;
}

/** A request is given up after this many noted attempts. From the third on, it is applied alone. */
const attemptsBeforeGivingUp = 5;

/** True when a worker was killed while it applied the request, maybe because of it. */
export function isSuspected(request: WaitingRequest): boolean {
  return request.attempts > 0;
}

/** True when so many attempts were killed that the request itself must be the cause. */
export function isGivenUp(request: WaitingRequest): boolean {
  return request.attempts >= attemptsBeforeGivingUp;
}

/** The failures or warnings of one item. */
export interface ItemFailures {
  /** Index of the item in its request. */
  readonly index: number;
  /** True when these are warnings: the rest of the item was applied. */
  readonly warnings: boolean;
  readonly failures: readonly ItemFailure[];
}

/** The result of one request. */
export interface RequestResult {
  readonly request: WaitingRequest;
  readonly status: 'done' | 'failed';
  readonly counts: RequestCounts;
  readonly failures: readonly ItemFailures[];
  /** For an update of attributes, the changed attributes in the order of its items; else null. */
  readonly attributeIds: readonly number[] | null;
}

/** Requests of one account that end. */
export interface EndedRequests {
  readonly accountId: number;
  readonly results: readonly RequestResult[];
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** Runs in the transaction that ends requests. So its writes happen exactly once. */
    readonly onRequestsEnd?: (trx: Database, ended: EndedRequests, context: PipelineContext) => Promise<void>;
  }
}
