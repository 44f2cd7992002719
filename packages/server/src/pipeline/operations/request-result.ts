import type { Database } from '#platform/database/connection/database.ts';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import type { ItemFailure } from './item-result.ts';
import type { PipelineContext } from './operation.ts';
import type { Operation } from './payload.ts';

/** An accepted request as it waits in the log. */
export interface WaitingRequest {
  readonly requestId: string;
  readonly seq: number;
  readonly operation: Operation;
  readonly payload: Buffer;
  readonly codec: 'json' | 'zstd';
  readonly total: number;
  readonly acceptedAt: Date;
  /** How many attempts to apply it are noted (`poison-requests.ts`); nearly always 0. */
  readonly attempts: number;
}

/** A request is given up after so many noted attempts: it was the only request of its batch in all but the first two. */
const attemptsBeforeGivingUp = 5;

/** True when a worker has ended while it applied the request, maybe because of it. */
export function isSuspected(request: WaitingRequest): boolean {
  return request.attempts > 0;
}

/** True when workers have ended so often while they applied the request, and nothing else, that it must be the cause. */
export function isGivenUp(request: WaitingRequest): boolean {
  return request.attempts >= attemptsBeforeGivingUp;
}

/** Why an item was not applied, or not wholly. */
export interface ItemFailures {
  /** Index of the item in its request. */
  readonly index: number;
  /** They are warnings: the rest of the item was applied. */
  readonly warnings: boolean;
  readonly failures: readonly ItemFailure[];
}

/** What became of one request. */
export interface RequestResult {
  readonly request: WaitingRequest;
  readonly status: 'done' | 'failed';
  readonly counts: RequestCounts;
  readonly failures: readonly ItemFailures[];
  /** The attributes that an update of attributes has changed, in the order of its items; null for every other request. */
  readonly attributeIds: readonly number[] | null;
}

/** Requests that end, all of one account. */
export interface EndedRequests {
  readonly accountId: number;
  readonly results: readonly RequestResult[];
}

declare module '#platform/feature.ts' {
  interface Feature {
    /** Told about requests that end, in the transaction that ends them: what it writes happens exactly once. */
    readonly onRequestsEnd?: (trx: Database, ended: EndedRequests, context: PipelineContext) => Promise<void>;
  }
}
