import type { AcceptedAnswer } from '@roster/contract';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { requireSameBody, type Idempotency } from './accept.ts';
import { findIdempotencyKey } from './accept-store.ts';
import { bodyHash } from './body-hash.ts';
import type { EncodedPayload, Operation, Payloads } from '../operations/payload.ts';

/** Stores an asynchronous request of V5 and answers its identifier; for a repeat with the same `Idempotency-Key`, that of the first. */
export async function acceptRequest<O extends Operation>(
  { acceptor, context }: Service,
  request: ApiKeyRequest<object>,
  operation: O,
  payload: Payloads[O] | EncodedPayload,
  total: number,
): Promise<string> {
  const { accountId } = request.credential;
  const idempotency = idempotencyOf(request);
  const id = await acceptor.accept({ accountId, requestId: request.requestId, operation, payload, total, idempotency });
  // The items of a repeat were counted when the first was accepted.
  if (id === request.requestId) context.metrics.accepted.inc({ operation }, total);
  return id;
}

/**
 * {@link acceptRequest}, after a check of what the account is like now.
 *
 * A repeat is not judged by what its first sending has changed: with the same `Idempotency-Key` it gets the first identifier unchecked, also
 * when the first was accepted while the check of the second was under way.
 */
export async function acceptChecked<O extends Operation>(
  service: Service,
  request: ApiKeyRequest<object>,
  operation: O,
  payload: Payloads[O] | EncodedPayload,
  total: number,
  check: () => Promise<void>,
): Promise<string> {
  const first = await repeatOf(service, request, operation);
  if (first !== undefined) return first;
  try {
    await check();
  } catch (error) {
    const accepted = await repeatOf(service, request, operation);
    if (accepted !== undefined) return accepted;
    throw error;
  }
  return acceptRequest(service, request, operation, payload, total);
}

/** The first request with the same idempotency key and body, or undefined; throws when the body differs. */
async function repeatOf(
  { context }: Service,
  request: ApiKeyRequest<object>,
  operation: Operation,
): Promise<string | undefined> {
  const idempotency = idempotencyOf(request);
  if (idempotency === undefined) return undefined;
  const { accountId } = request.credential;
  const first = await findIdempotencyKey(context.db, { accountId, operation, acceptedAt: context.now() }, idempotency);
  return first === undefined ? undefined : requireSameBody(first);
}

/** The answer to an asynchronous request. */
export function acceptedAnswer(requestId: string): AcceptedAnswer {
  return {
    request_id: requestId,
    code: 200,
    status: 'success',
    description: 'The request was accepted and is processed asynchronously',
  };
}

function idempotencyOf({ idempotencyKey, body }: ApiKeyRequest<object>): Idempotency | undefined {
  if (idempotencyKey === undefined) return undefined;
  // What was made of a body of contacts has its hash.
  const hash = 'bodyHash' in body && body.bodyHash instanceof Uint8Array ? body.bodyHash : bodyHash(body);
  return { key: idempotencyKey, bodyHash: hash };
}
