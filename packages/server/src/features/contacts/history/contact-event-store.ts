import type { ContactType } from '@roster/contract';
import { sql, type Selectable } from 'kysely';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { WorkingSet } from '../batch/working-set.ts';
import type { ContactEvent } from './contact-history.ts';

/** A stored change of a contact. */
export type ContactEventRow = Pick<
  Selectable<Tables['contact_events']>,
  'occurred_at' | 'event_id' | 'kind' | 'details' | 'request_id'
>;

const deletion = (): string =>
  `delete from contact_events where account_id = ${opaqueFirstParameter()} and contact_id = any($2::bigint[])`;

const insertion = `
  insert into contact_events (account_id, contact_id, occurred_at, kind, details, request_id)
  select $1, contact_id, occurred_at, kind, details::jsonb, request_id
  from unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::uuid[])
    as e (contact_id, occurred_at, kind, details, request_id)`;

// Two of them, with all their texts, fit into a message of a few megabytes.
const eventsPerStatement = 20_000;

/**
 * Returns the statements that store the events of a batch, and delete the events of contacts that
 * the batch deletes. An event happens when its request is accepted, like the change of the contact.
 */
export function contactEventWrites(accountId: number, { all }: WorkingSet, events: readonly ContactEvent[]): Write[] {
  const gone = all.filter(({ deleted, stored }) => deleted && stored !== null).map(({ id }) => id);
  const kept = events.filter(({ contact }) => !contact.deleted);
  const writes: Write[] = [];
  if (gone.length > 0) writes.push((client) => client.query(deletion(), [accountId, arrayLiteral(gone)]));
  for (let from = 0; from < kept.length; from += eventsPerStatement) {
    const some = kept.slice(from, from + eventsPerStatement);
    const values = [
      accountId,
      arrayLiteral(some, ({ contact }) => contact.id),
      arrayLiteral(some, ({ origin }) => origin.acceptedAt.toISOString()),
      arrayLiteral(some, ({ kind }) => kind),
      arrayLiteral(some, ({ details }) => JSON.stringify(details)),
      arrayLiteral(some, ({ origin }) => origin.requestId),
    ];
    writes.push((client) => client.query(insertion, values));
  }
  return writes;
}

/** Loads events of a contact up to a time, newest first. */
export async function loadContactEvents(
  db: Database,
  accountId: number,
  contactId: number,
  { kinds, until }: { readonly kinds: readonly ContactEventRow['kind'][]; readonly until: Date },
  limit: number,
): Promise<ContactEventRow[]> {
  return db
    .selectFrom('contact_events')
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .where('occurred_at', '<=', until)
    .where((eb) => eb('kind', '=', eb.fn.any(eb.val([...kinds]))))
    .select(['occurred_at', 'event_id', 'kind', 'details', 'request_id'])
    .orderBy('occurred_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(limit)
    .execute();
}

/** Loads all events of a contact, oldest first. */
export async function allContactEvents(db: Database, accountId: number, contactId: number): Promise<ContactEventRow[]> {
  return db
    .selectFrom('contact_events')
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .select(['occurred_at', 'event_id', 'kind', 'details', 'request_id'])
    .orderBy('occurred_at')
    .orderBy('event_id')
    .execute();
}

/** The last event of a kind: of the type, or of the opt-out of a channel. */
export interface LastEvent extends ContactEventRow {
  readonly channel: string | null;
  readonly to: ContactType | null;
}

/** Loads the last change of the type, and the last opt-out or opt-in of each channel. */
export async function lastContactEvents(db: Database, accountId: number, contactId: number): Promise<LastEvent[]> {
  const { rows } = await sql<LastEvent>`
    select distinct on (details ->> 'channel')
      details ->> 'channel' as channel, details ->> 'to' as "to", occurred_at, event_id, kind, details, request_id
    from contact_events
    where account_id = ${accountId} and contact_id = ${contactId} and kind <> 'identity_changed'
    order by details ->> 'channel', occurred_at desc, event_id desc`.execute(db);
  return rows;
}
