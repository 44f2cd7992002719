import type { PersonExport } from '@roster/contract';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { allContactEvents } from '#features/contacts/history/contact-event-store.ts';
import { comparableEmail } from '#features/contacts/model/contact.ts';
import { formerKeys } from '#features/contacts/former-keys/former-key-store.ts';
import type { Context } from '#platform/context.ts';
import { listNames } from '#features/audiences/list-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Snapshot } from '#platform/database/connection/snapshot.ts';
import { exportsContaining } from '#features/erasures/store/export-file-store.ts';
import { exportFilesView } from '#features/erasures/store/erasure-view.ts';
import { notFound } from '#platform/errors/api-error.ts';
import { ownIdentifiers, type IdentifierOwner } from '#features/people/identifier-store.ts';
import { identifiersOfContact, keyIdentifier, valuesOf } from '#features/contacts/model/identifiers.ts';
import { Person } from '#features/people/person.ts';
import { activitiesOf, auditOfContact, lastOptOuts, mailsTo, signUpsOf } from './person-store.ts';
import { activityView, contactView, mailView, optOutsView, requestView, signUpView } from './person-view.ts';
import { findContact, type ContactRow } from '#features/profiles/profile/profile-store.ts';
import { derivedValues } from '#features/profiles/profile/derived-values.ts';
import { changesOfContact } from '#features/live-segments/change-store.ts';
import { matchedSegments } from '#features/profiles/profile/matched-segments.ts';
import { failuresOfItems, requestsBefore } from '#features/people/request-store.ts';
import { readRequests, type DecodedRequest } from '#features/people/read-requests.ts';
import { sha256 } from '#platform/text/sha256.ts';

/** The input of the parts of a person export. */
interface Source extends Pick<Context, 'features'> {
  readonly db: Database;
  readonly accountId: number;
  readonly contact: ContactRow;
  readonly person: Person;
  readonly owner: IdentifierOwner;
}

/**
 * Yields all data about a person as chunks of JSON ({@link PersonExport}), read from the snapshot.
 * Throws `not_found` before the first chunk.
 */
export async function* writePersonExport(
  { db }: Snapshot,
  { features, now }: Pick<Context, 'features' | 'now'>,
  accountId: number,
  contactId: number,
): AsyncGenerator<string, void, undefined> {
  const account = await findAccount(db, accountId);
  const contact = account === undefined ? undefined : await findContact(db, accountId, contactId);
  if (account === undefined || contact === undefined) {
    throw notFound(account === undefined ? `account ${accountId}` : `contact ${contactId} in account ${accountId}`);
  }
  const registry = await loadRegistry(db, accountId);
  const { primaryKey } = registry;
  const owner: IdentifierOwner = { accountId, primaryKey, contactId };
  const former = await formerKeys(db, accountId, contactId);
  const known = [
    ...identifiersOfContact(primaryKey, { contactId, key: contact.contact_key, ...contact }),
    ...former.map((one) => keyIdentifier(primaryKey, one.contact_key)),
  ];
  const person = new Person(primaryKey, contactId, await ownIdentifiers(db, owner, known));
  const source: Source = { db, features, accountId, contact, person, owner };

  const key = contact.contact_key;
  yield `{${field('exported_at', now().toISOString())}`;
  yield `,${field('account', { account_id: accountId, name: account.name, primary_key: primaryKey })}`;
  yield `,${field('contact', contactView(contact, registry))}`;
  yield `,${field(
    'former_identities',
    former.map((one) => ({ identity: one.contact_key, changed_at: one.changed_at.toISOString() })),
  )}`;
  const events = await allContactEvents(db, accountId, contactId);
  yield `,${field(
    'changes',
    events.map(({ kind, occurred_at, request_id, details }) => ({
      kind,
      occurred_at: occurred_at.toISOString(),
      request_id,
      details,
    })),
  )}`;
  yield `,${field('lists', await listNames(db, accountId, contact.list_ids))}`;
  const { matched } = await matchedSegments(db, { accountId, registry, contactId, now: now() });
  yield `,${field('segments', [...matched])}`;
  const segmentChanges = await changesOfContact(db, accountId, contactId);
  yield `,${field(
    'segment_changes',
    segmentChanges.map(({ audience_id, entered, cause, changed_at: at }) => ({
      audience_id,
      change: entered ? 'entered' : 'left',
      cause,
      occurred_at: at.toISOString(),
    })),
  )}`;
  const one = { accountId, contactId, now: now() };
  yield `,${field('derived_attributes', await derivedValues(db, registry, one))}`;
  yield `,${field('opt_outs', optOutsView(contact, await lastOptOuts(db, accountId, [key])))}`;
  const actions = await auditOfContact(db, accountId, contactId);
  yield `,${field(
    'operator_actions',
    actions.map((action) => ({ ...action, occurred_at: action.occurred_at.toISOString() })),
  )}`;
  await learnFormerIdentifiers(source);
  const signUps = await signUpsOf(db, accountId, {
    addressHashes: emailsOf(source).map(sha256),
    keys: [...keysOf(source)],
  });
  yield `,${field('sign_ups', signUps.map(signUpView))}`;
  yield* array('mails', mails(source));
  yield `,${field('export_files', exportFilesView(await exportsContaining(db, accountId, contactId)))}`;
  yield* array('requests', requests(source));
  yield* array('activities', activities(source));
  yield `,${field('complete', true)}}`;
}

/** Returns the present e-mail address, and former ones that no other contact has now. */
function emailsOf({ contact: { email }, person }: Source): string[] {
  const former = valuesOf(person.identifiers, 'email');
  return [...new Set(email === null ? former : [comparableEmail(email), ...former])];
}

/** Returns the present contact key, and former ones that no other contact has now. */
function keysOf({ contact, person }: Source): Set<string> {
  return new Set([contact.contact_key, ...person.keys]);
}

function field<Name extends keyof PersonExport>(name: Name, value: PersonExport[Name]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

/** Yields a field with an array, element by element. */
async function* array<Name extends 'mails' | 'requests' | 'activities'>(
  name: Name,
  parts: AsyncIterable<readonly PersonExport[Name][number][]>,
): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let isFirst = true;
  for await (const part of parts) {
    if (part.length === 0) continue;
    yield `${isFirst ? '' : ','}${part.map((element) => JSON.stringify(element)).join(',')}`;
    isFirst = false;
  }
  yield ']';
}

const mailsPerQuery = 100;

async function* mails(source: Source): AsyncGenerator<PersonExport['mails']> {
  const { db, accountId } = source;
  const emails = emailsOf(source);
  for (let after: string | undefined; ;) {
    const rows = await mailsTo(db, accountId, emails, after, mailsPerQuery);
    yield rows.map(mailView);
    if (rows.length < mailsPerQuery) return;
    after = rows.at(-1)!.mail_id;
  }
}

/**
 * Reads the requests once before they are written, so that the person has all identifiers that they
 * reveal. Sign-ups, mails and newer requests can name the person by a former address.
 */
async function learnFormerIdentifiers(source: Source): Promise<void> {
  const parts = decodedRequests(source);
  while (!(await parts.next()).done);
}

/** Yields the requests that may name the person, from newest to oldest. */
async function* decodedRequests({ db, features, accountId, person, owner }: Source): AsyncGenerator<DecodedRequest[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const some = await requestsBefore({ db, features }, accountId, before);
    yield await readRequests({ db, features }, owner, person, some);
    if (some.length === 0) return;
    before = some.at(-1)!.seq;
  }
}

async function* requests(source: Source): AsyncGenerator<PersonExport['requests']> {
  const { db, accountId, person } = source;
  for await (const part of decodedRequests(source)) {
    for (const { request, items = [] } of part) {
      const own = items.filter((item) => person.owns(item));
      if (own.length === 0) continue;
      const indexes = own.map(({ index }) => index);
      const failures = await failuresOfItems(db, accountId, request.requestId, indexes);
      yield [requestView(request, own, failures)];
    }
  }
}

/**
 * Yields the activities under the present key of the contact, and those that were reported late
 * under a former key that no other contact has now.
 */
async function* activities(source: Source): AsyncGenerator<PersonExport['activities']> {
  const { db, accountId } = source;
  for await (const rows of activitiesOf(db, accountId, [...keysOf(source)])) yield rows.map(activityView);
}
