import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { CreateContactsBody } from '@roster/contract';
import type { BatchState } from '#features/contacts/batch/batch-state.ts';
import { applyCreate } from '#features/contacts/rules/create.ts';
import { emailIdentifier } from '#features/contacts/model/identifiers.ts';
import { comparableEmail, type Contact } from '#features/contacts/model/contact.ts';
import { move, setType, typeState } from '#features/contacts/model/contact-type-moves.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import { touch } from '#features/contacts/rules/merge.ts';
import type { Lookups } from '#features/contacts/model/lookups.ts';
import { setOptedOut } from '#features/contacts/model/opt-outs.ts';

/** A contact that signs up; it always has an identity. */
export type SignUpContact = CreateContactsBody['data']['contacts'][number] & { readonly identity: string };

/** What the items of a request have in common. */
interface Request {
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Index of the request in its batch. */
  readonly request: number;
}

/** Adds the look-up that a sign-up or its confirmation needs. */
export function signUpLookups({ identity }: SignUpContact, primaryKey: string, into: Lookups): void {
  const key = contactKey(primaryKey, identity);
  if (key !== undefined) into.key.add(key);
}

/**
 * Creates a contact that has signed up, as `unconfirmed`.
 *
 * One that exists stays as it is: whoever fills in a form has not shown yet that it is theirs.
 */
export function applySignUp(
  state: BatchState,
  request: Request,
  item: SignUpContact,
  failures: ItemFailure[],
): Outcome {
  const key = contactKey(state.registry.primaryKey, item.identity);
  if (key !== undefined && state.contacts.byKey(key) !== undefined) return 'unchanged';
  return applyCreate(state, { ...request, contactType: 'unconfirmed', rejectExisting: false }, item, failures);
}

/**
 * Confirms a contact whose link was opened: what the sign-up gave is merged into it, `unconfirmed` becomes `confirmed`, and the
 * click is an opt-in to e-mail, which takes a contact off the blacklist.
 *
 * A contact that has another address keeps it, and everything else. The click is also the consent of a person who was erased: whoever had the address is forgotten no more, and the contact is created.
 */
export function applyConfirmation(
  state: BatchState,
  request: Request,
  item: SignUpContact,
  failures: ItemFailure[],
): Outcome {
  const key = contactKey(state.registry.primaryKey, item.identity);
  if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
  const existing = state.contacts.byKey(key);
  // The click shows whose the address is, not whose the identity: nobody's mail goes elsewhere because somebody filled in a form.
  if (existing !== undefined && hasAnotherAddress(existing, item.email)) {
    return fail(failures, { code: 'identity_taken', field: 'identity' });
  }
  const isBack = typeof item.email === 'string' && state.forgotten.remember(emailIdentifier(item.email));
  if (!isBack && existing === undefined) return fail(failures, { code: 'contact_not_found', field: 'identity' });
  const merged = applyCreate(state, { ...request, contactType: 'unconfirmed', rejectExisting: false }, item, failures);
  if (merged === 'failed') return merged;
  const contact = state.contacts.byKey(key)!;
  const optedIn = setOptedOut(contact, 'email', false, request.at);
  const moved = setType(contact, move(move(typeState(contact), 'opt-in'), 'verification'));
  const outcome = touch(contact, optedIn || moved || merged !== 'unchanged', request.at);
  return merged === 'created' ? merged : outcome;
}

function hasAnotherAddress({ email }: Contact, confirmed: string | null | undefined): boolean {
  return typeof confirmed === 'string' && email !== null && comparableEmail(email) !== comparableEmail(confirmed);
}
