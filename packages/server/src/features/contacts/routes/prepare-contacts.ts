import { CreateContactsBody, DeleteContactsBody, UpdateContactsBody } from '@roster/contract';
import { bodyHash } from '#pipeline/accept/body-hash.ts';
import type { EncodedPayload, Payloads } from '#pipeline/operations/payload.ts';
import { contactKey } from '../model/identity.ts';

/** The body shapes of the operations that change contacts. */
export const contactShapes = {
  'contact.create': CreateContactsBody,
  'contact.update': UpdateContactsBody,
  'contact.delete': DeleteContactsBody,
} as const;

/** Name of an operation that changes contacts. */
export type ContactOperation = keyof typeof contactShapes;

/** The input of a thread that turns a body of contacts into a request to store. */
export interface ContactsTask {
  readonly kind: 'contacts';
  readonly operation: ContactOperation;
  readonly primaryKey: string;
  /** See `splitByOf`. */
  readonly splitBy: string | undefined;
  /** The account refuses existing contacts, so the keys are needed to look them up. */
  readonly rejectsExisting: boolean;
  /** The request has an idempotency key, so the hash of its body is needed. */
  readonly isKeyed: boolean;
}

/** The payload of a body of contacts, and other facts that accepting it needs. */
export interface PreparedContacts<Payload = Payloads[ContactOperation] | EncodedPayload> {
  readonly payload: Payload;
  readonly total: number;
  readonly bodyHash: Uint8Array | undefined;
  /** The keys of the contacts, when the account refuses existing contacts. */
  readonly keys: readonly (string | undefined)[] | undefined;
}

/** Prepares a body without faults. Uses only its arguments, so that any thread can call it. */
export function prepareContacts(
  body: CreateContactsBody | UpdateContactsBody | DeleteContactsBody,
  { primaryKey, rejectsExisting, isKeyed }: ContactsTask,
): PreparedContacts<Payloads[ContactOperation]> {
  const { data } = body;
  return {
    payload: rejectsExisting ? { ...data, reject_existing: true } : data,
    total: data.contacts.length,
    bodyHash: isKeyed ? bodyHash(body) : undefined,
    keys: rejectsExisting ? keysOf(body as CreateContactsBody, primaryKey) : undefined,
  };
}

/** Empty for anonymous contacts, which are always new. */
function keysOf({ data }: CreateContactsBody, primaryKey: string): (string | undefined)[] {
  if (data.contact_type === 'anonymous') return [];
  return data.contacts.map((contact) => contactKey(primaryKey, contact.identity!));
}
