import type { Logger } from 'pino';
import { describeError } from '#platform/database/connection/describe-error.ts';
import type { WaitingRequest } from './batch-store.ts';
import {
  prepareRegistryRequest,
  prepareRequest,
  type BatchItem,
  type PreparedRegistryRequest,
} from '#app/worker/operations.ts';
import { changesRegistry, decodePayload } from '../log/payload.ts';
import { isGivenUp } from './poison-requests.ts';

/** What a batch asks for: items on contacts, or one request on the registry. */
export interface DecodedBatch {
  /** The items of all requests, in order. */
  readonly items: readonly BatchItem[];
  /** The only request of the batch, when it changes the registry. */
  readonly registryRequest: PreparedRegistryRequest | undefined;
}

/** Decodes waiting requests, in order. A payload that cannot be read is logged and has no items, and so is a request that is given up. */
export async function decodeRequests(requests: readonly WaitingRequest[], log: Logger): Promise<DecodedBatch> {
  const items: BatchItem[] = [];
  let registryRequest: PreparedRegistryRequest | undefined;
  for (const [at, request] of requests.entries()) {
    const { requestId, operation, payload, codec, acceptedAt } = request;
    if (isGivenUp(request)) {
      log.error({ request_id: requestId }, 'a request is given up: several workers ended while they applied it');
      continue;
    }
    try {
      if (changesRegistry(operation)) {
        registryRequest = prepareRegistryRequest(operation, await decodePayload<typeof operation>(payload, codec));
        continue;
      }
      const decoded = await decodePayload<typeof operation>(payload, codec);
      const prepared = prepareRequest(operation, decoded, at, acceptedAt.toISOString());
      for (let index = 0; index < prepared.size; index++) items.push({ request: prepared, index });
    } catch (error) {
      log.error({ err: describeError(error), request_id: requestId }, 'the payload of a request cannot be read');
    }
  }
  return { items, registryRequest };
}
