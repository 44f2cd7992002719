import { bodyHash } from '#pipeline/accept/body-hash.ts';
import type { EncodedPayload, Payloads } from '#pipeline/operations/payload.ts';
import { readEnvelope, type BatchEnvelope } from './envelope.ts';
import { translateContacts } from './translate.ts';

/** Makes the request that is stored out of the body of a batch. */
export interface BatchTask {
  readonly kind: 'batch';
  /** The primary key of the account. */
  readonly primaryKey: string;
  /** The account refuses contacts that exist. */
  readonly rejectsExisting: boolean;
  /** The request has an idempotency key, so that the hash of its body is needed. */
  readonly isKeyed: boolean;
}

/** What is stored of a batch, and what else is needed of its body. */
export interface PreparedBatch<Payload = Payloads['contact.batch-add'] | EncodedPayload> {
  readonly envelope: Omit<BatchEnvelope, 'data'>;
  readonly payload: Payload;
  readonly total: number;
  readonly bodyHash: Uint8Array | undefined;
}

/**
 * Reads and translates the body of a batch. It depends on nothing but its arguments, so that any thread can do it.
 *
 * Throws the first fault of the envelope in the order of the error table.
 */
export function prepareBatch(
  body: unknown,
  { primaryKey, rejectsExisting, isKeyed }: BatchTask,
): PreparedBatch<Payloads['contact.batch-add']> {
  const { data, ...envelope } = readEnvelope(body);
  const { listId, callbackUrl, notifyEmail } = envelope;
  const payload = {
    contact_type: 'identified',
    ...translateContacts(data, listId, primaryKey),
    ...(rejectsExisting ? { reject_existing: true as const } : {}),
  } as const;
  return {
    envelope,
    payload,
    total: data.length,
    bodyHash: isKeyed ? bodyHash({ payload, listId, callbackUrl, notifyEmail }) : undefined,
  };
}
