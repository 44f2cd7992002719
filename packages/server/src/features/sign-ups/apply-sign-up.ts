import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { RequestFacts } from '#pipeline/operations/operation.ts';
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

/** Adds the contact key of a sign-up to the contacts to load. */
export function signUpLookups({ identity }: SignUpContact, primaryKey: string, into: Lookups): void {
  const key = contactKey(primaryKey, identity);
  if (key !== undefined) into.key.add(key);
}

/**
 * Creates the contact of a sign-up as `unconfirmed`. Does not change an existing contact: a person
 * who fills in a form has not proved yet that the contact is theirs.
 */
export function applySignUp(
  state: BatchState,
  request: RequestFacts,
  item: SignUpContact,
  failures: ItemFailure[],
): Outcome {
  const key = contactKey(state.registry.primaryKey, item.identity);
  const existing = key === undefined ? undefined : state.contacts.byKey(key);
  if (existing !== undefined) {
    state.history.touch(existing);
    return 'unchanged';
  }
  return applyCreate(state, { ...request, contactType: 'unconfirmed', rejectExisting: false }, item, failures);
}

/**
 * Confirms the contact of a sign-up after the click on its link:
 * - The values of the sign-up are merged into the contact.
 * - `unconfirmed` becomes `confirmed`.
 * - The contact opts in to e-mail, which also ends `blacklisted`.
 * - If the person was forgotten, the click is a new consent. The address is no longer forgotten,
 *   and the contact is created again.
 *
 * Fails and changes nothing when the contact has another e-mail address.
 */
export function applyConfirmation(
  state: BatchState,
  request: RequestFacts,
  item: SignUpContact,
  failures: ItemFailure[],
): Outcome {
  const key = contactKey(state.registry.primaryKey, item.identity);
  if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
  const existing = state.contacts.byKey(key);
  // The click proves who owns the address, not who owns the identity. Otherwise anyone could
  // replace the address of another contact by filling in a form.
  if (existing !== undefined && hasAnotherAddress(existing, item.email)) {
    return fail(failures, { code: 'identity_taken', field: 'identity' });
  }
  const isBack = typeof item.email === 'string' && state.forgotten.readmit(emailIdentifier(item.email));
  if (!isBack && existing === undefined) return fail(failures, { code: 'contact_not_found', field: 'identity' });
  const merged = applyCreate(state, { ...request, contactType: 'unconfirmed', rejectExisting: false }, item, failures);
  if (merged === 'failed') return merged;
  const contact = state.contacts.byKey(key)!;
  const optedIn = setOptedOut(contact, 'email', false, request.at);
  const moved = setType(contact, move(move(typeState(contact), 'opt-in'), 'verification'));
  const outcome = touch(state, contact, optedIn || moved || merged !== 'unchanged', request.at);
  return merged === 'created' ? merged : outcome;
}

function hasAnotherAddress({ email }: Contact, confirmed: string | null | undefined): boolean {
  return typeof confirmed === 'string' && email !== null && comparableEmail(email) !== comparableEmail(confirmed);
}
