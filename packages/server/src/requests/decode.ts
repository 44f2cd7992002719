import type { Logger } from 'pino';
import { describeError } from '../observability/describe-error.ts';
import type { WaitingRequest } from './batch-store.ts';
import { prepareRequest, type BatchItem } from './operations.ts';
import { decodePayload } from './payload.ts';

/** The items of waiting requests, in order. A payload that cannot be read is logged and has none. */
export async function decodeRequests(requests: readonly WaitingRequest[], log: Logger): Promise<BatchItem[]> {
  const items: BatchItem[] = [];
  for (const [at, { requestId, operation, payload, codec, acceptedAt }] of requests.entries()) {
    try {
      const request = prepareRequest(operation, await decodePayload(payload, codec), at, acceptedAt.toISOString());
      for (let index = 0; index < request.size; index++) items.push({ request, index });
    } catch (error) {
      log.error({ err: describeError(error), request_id: requestId }, 'the payload of a request cannot be read');
    }
  }
  return items;
}
