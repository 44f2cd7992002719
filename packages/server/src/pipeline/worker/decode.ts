import { describeError } from '#platform/database/connection/describe-error.ts';
import {
  definitionOf,
  type BatchItem,
  type OperationDefinition,
  type PipelineContext,
  type WholeResult,
} from '../operations/operation.ts';
import { isGivenUp, type WaitingRequest } from '../operations/waiting-request.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** Applies a request as a whole, in the transaction that ends it. */
export type WholeRequest = (trx: Database, accountId: number) => Promise<readonly WholeResult[]>;

/** The content of a batch: items, or one request that is applied as a whole. */
export interface DecodedBatch {
  /** The items of all requests, in order. */
  readonly items: readonly BatchItem[];
  /** Set when the only request of the batch is applied as a whole. */
  readonly wholeRequest: WholeRequest | undefined;
}

/** Decodes requests, in order. Unreadable and given-up requests are logged and have no items. */
export function decodeRequests(requests: readonly WaitingRequest[], context: PipelineContext): DecodedBatch {
  const { features, log } = context;
  const items: BatchItem[] = [];
  let wholeRequest: WholeRequest | undefined;
  for (const [index, request] of requests.entries()) {
    const { requestId, operation, payload, part, acceptedAt } = request;
    if (isGivenUp(request)) {
      log.error({ request_id: requestId }, 'gave up a request: several workers were killed while they applied it');
      continue;
    }
    try {
      const definition: OperationDefinition<never> = definitionOf(features, operation);
      const decoded = (part === 0 ? payload.whole() : payload.part(part)) as never;
      if ('applyWhole' in definition) {
        wholeRequest = (trx, accountId) => definition.applyWhole(trx, accountId, decoded, context);
        continue;
      }
      const prepared = definition.prepare(decoded, { index, at: acceptedAt.toISOString() });
      for (let item = 0; item < prepared.size; item++) items.push({ request: prepared, index: item, origin: request });
    } catch (error) {
      log.error({ err: describeError(error), request_id: requestId }, 'could not read the payload of a request');
    }
  }
  return { items, wholeRequest };
}
