import { describeError } from '#platform/database/connection/describe-error.ts';
import {
  definitionOf,
  type BatchItem,
  type OperationDefinition,
  type PipelineContext,
  type WholeResult,
} from '../operations/operation.ts';
import { decodePayload } from '../operations/payload.ts';
import { isGivenUp, type WaitingRequest } from '../operations/request-result.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** One accepted request that is applied as a whole, in the transaction that ends it. */
export type WholeRequest = (trx: Database, accountId: number) => Promise<readonly WholeResult[]>;

/** What a batch asks for: items, or one request that is applied as a whole. */
export interface DecodedBatch {
  /** The items of all requests, in order. */
  readonly items: readonly BatchItem[];
  /** The only request of the batch, when it is applied as a whole. */
  readonly wholeRequest: WholeRequest | undefined;
}

/**
 * Decodes waiting requests, in order. A payload that cannot be read is logged and has no items, and so is a request that is given up.
 */
export async function decodeRequests(
  requests: readonly WaitingRequest[],
  context: PipelineContext,
): Promise<DecodedBatch> {
  const { features, log } = context;
  const items: BatchItem[] = [];
  let wholeRequest: WholeRequest | undefined;
  for (const [index, request] of requests.entries()) {
    const { requestId, operation, payload, codec, acceptedAt } = request;
    if (isGivenUp(request)) {
      log.error({ request_id: requestId }, 'a request is given up: several workers ended while they applied it');
      continue;
    }
    try {
      const definition: OperationDefinition<never> = definitionOf(features, operation);
      const decoded = (await decodePayload(payload, codec)) as never;
      if ('applyWhole' in definition) {
        wholeRequest = (trx, accountId) => definition.applyWhole(trx, accountId, decoded, context);
        continue;
      }
      const prepared = definition.prepare(decoded, { index, at: acceptedAt.toISOString() });
      for (let item = 0; item < prepared.size; item++) items.push({ request: prepared, index: item });
    } catch (error) {
      log.error({ err: describeError(error), request_id: requestId }, 'the payload of a request cannot be read');
    }
  }
  return { items, wholeRequest };
}
