import type { AcceptedAnswer } from '@roster/contract';
import type { Service } from '#platform/http/server/service.ts';
import type { ApiKeyRequest } from '#platform/http/operations/request.ts';
import { successOf } from '#platform/http/operations/success.ts';
import { requireSameBody, type Idempotency } from './acceptor.ts';
import { findIdempotencyKey } from './accept-store.ts';
import { splitByOf } from './split-by.ts';
import { bodyHash } from './body-hash.ts';
import type { EncodedPayload, PipelineOperation, Payloads } from '../operations/payload.ts';

/**
 * Accepts an asynchronous V5 request and returns its identifier. A repeat with the same
 * `Idempotency-Key` gets the identifier of the first request.
 */
export async function acceptRequest<O extends PipelineOperation>(
  { acceptor, context }: Service,
  request: ApiKeyRequest<object>,
  operation: O,
  payload: Payloads[O] | EncodedPayload,
  total: number,
): Promise<string> {
  const { accountId } = request.credential;
  const idempotency = idempotencyOf(request);
  const splitBy = splitByOf(request.credential);
  const acceptance = { accountId, requestId: request.requestId, operation, payload, total, idempotency, splitBy };
  const id = await acceptor.accept(acceptance);
  // The items of a repeat were counted when the first was accepted.
  if (id === request.requestId) context.metrics.accepted.inc({ operation }, total);
  return id;
}

/**
 * Accepts a request as {@link acceptRequest} does, if `check` passes.
 *
 * A repeat with the same `Idempotency-Key` skips the check, because the first request may have
 * changed what the check reads. It gets the identifier of the first request. This also holds when
 * the first request is accepted while the check of the repeat runs.
 */
export async function acceptChecked<O extends PipelineOperation>(
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

/** Returns the first request with the same idempotency key; throws when its body differs. */
async function repeatOf(
  { context }: Service,
  request: ApiKeyRequest<object>,
  operation: PipelineOperation,
): Promise<string | undefined> {
  const idempotency = idempotencyOf(request);
  if (idempotency === undefined) return undefined;
  const { accountId } = request.credential;
  const first = await findIdempotencyKey(context.db, { accountId, operation, acceptedAt: context.now() }, idempotency);
  return first === undefined ? undefined : requireSameBody(first);
}

/** Makes the response to an accepted request. */
export function acceptedAnswer(requestId: string): AcceptedAnswer {
  return successOf({ requestId }, 'The request was accepted and is processed asynchronously');
}

function idempotencyOf({ idempotencyKey, body }: ApiKeyRequest<object>): Idempotency | undefined {
  if (idempotencyKey === undefined) return undefined;
  // For a body of contacts, `prepareContacts` has already computed the hash, maybe in a thread.
  const hash = 'bodyHash' in body && body.bodyHash instanceof Uint8Array ? body.bodyHash : bodyHash(body);
  return { key: idempotencyKey, bodyHash: hash };
}
