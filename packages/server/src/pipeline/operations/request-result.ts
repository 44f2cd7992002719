import type { Database } from '#platform/database/connection/database.ts';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import type { ItemFailure } from './item-result.ts';
import type { PipelineContext } from './operation.ts';
import type { WaitingRequest } from './waiting-request.ts';

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
  /** Numbers of the contacts that the request touched, in any order and maybe repeated. */
  readonly contactIds: readonly number[];
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
