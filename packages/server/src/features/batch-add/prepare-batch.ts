import { bodyHash } from '#pipeline/accept/body-hash.ts';
import type { EncodedPayload, Payloads } from '#pipeline/operations/payload.ts';
import { readEnvelope, type BatchEnvelope } from './envelope.ts';
import { translateContacts } from './translate.ts';

/** The options for {@link prepareBatch}. */
export interface BatchTask {
  readonly kind: 'batch';
  /** The primary key of the account. */
  readonly primaryKey: string;
  /** The account setting `reject_existing_contacts`. */
  readonly rejectsExisting: boolean;
  /** True when the request has an idempotency key, which needs the hash of the body. */
  readonly isKeyed: boolean;
}

/** A batch whose body was read. `payload` is stored. */
export interface PreparedBatch<Payload = Payloads['contact.batch-add'] | EncodedPayload> {
  readonly envelope: Omit<BatchEnvelope, 'data'>;
  readonly payload: Payload;
  readonly total: number;
  readonly bodyHash: Uint8Array | undefined;
}

/**
 * Reads the body of a batch, and translates it into a create request. A worker thread can call
 * this, because it depends only on its arguments.
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
