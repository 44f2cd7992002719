import { sql, type Selectable, type SqlBool } from 'kysely';
import { kindNumber } from '#platform/database/values/activity-numbers.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** Returns the audit entries about a contact, oldest first. */
export async function auditOfContact(
  db: Database,
  accountId: number,
  contactId: number,
): Promise<{ occurred_at: Date; actor: string; action: string }[]> {
  return db
    .selectFrom('audit_log')
    .where('account_id', '=', accountId)
    .where('subject', '=', `contact:${contactId}`)
    .select(['occurred_at', 'actor', 'action'])
    .orderBy('audit_id')
    .execute();
}

/** A sign-up without its token. */
export type PersonSignUpRow = Pick<
  Selectable<Tables['sign_ups']>,
  'sign_up_id' | 'created_at' | 'expires_at' | 'used_at' | 'contact'
>;

/** Returns the sign-ups of some e-mail addresses (by their hashes) or identities, oldest first. */
export async function signUpsOf(
  db: Database,
  accountId: number,
  { addressHashes, keys }: { readonly addressHashes: readonly Buffer[]; readonly keys: readonly string[] },
): Promise<PersonSignUpRow[]> {
  const { rows } = await sql<PersonSignUpRow>`
    select sign_up_id, created_at, expires_at, used_at, contact from sign_ups
    where account_id = ${accountId} and (address_hash = any (${[...addressHashes]}::bytea[]) or contact ->> 'identity' = any (${[...keys]}::text[]))
    order by sign_up_id`.execute(db);
  return rows;
}

/** A mail, without columns that its recipient never saw. */
export type PersonMailRow = Pick<
  Selectable<Tables['mails']>,
  'mail_id' | 'template' | 'recipient' | 'subject' | 'plain_text' | 'status' | 'created_at' | 'sent_at'
>;

/** Returns the mails to some addresses, oldest first, that come after the mail `after`. */
export async function mailsTo(
  db: Database,
  accountId: number,
  emails: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<PersonMailRow[]> {
  return db
    .selectFrom('mails')
    .where('account_id', '=', accountId)
    .where(sql<SqlBool>`lower(recipient) = any (${[...emails]}::text[])`)
    .$if(after !== undefined, (query) => query.where('mail_id', '>', after!))
    .select(['mail_id', 'template', 'recipient', 'subject', 'plain_text', 'status', 'created_at', 'sent_at'])
    .orderBy('mail_id')
    .limit(limit)
    .execute();
}

/**
 * Returns the keys under which the activities of contacts are stored. Activities that are being
 * moved to a new key (table `activity_moves`) count under the new key.
 */
function storedKeys(accountId: number, keys: readonly string[]) {
  return sql`any (array(
    select wanted.key from unnest(${[...keys]}::text[]) as wanted (key)
    where not exists (select 1 from activity_moves where account_id = ${accountId} and contact_key = wanted.key)
    union all
    select contact_key from activity_moves where account_id = ${accountId} and target_key = any (${[...keys]}::text[])
  ))`;
}

/** Returns the last activity on each channel that opted the contact out. */
export async function lastOptOuts(
  db: Database,
  accountId: number,
  keys: readonly string[],
): Promise<{ channel: number; activity: number; occurred_at: Date }[]> {
  const { rows } = await sql<{ channel: number; activity: number; occurred_at: Date }>`
    select distinct on (channel) channel, activity, occurred_at from activities
    where account_id = ${accountId} and contact_key = ${storedKeys(accountId, keys)}
      and (activity in (${kindNumber('unsubscribe')}, ${kindNumber('spam')}) or hard_bounce)
    order by channel, occurred_at desc`.execute(db);
  return rows;
}

/** An activity as it is stored. */
export type PersonActivityRow = Omit<Selectable<Tables['activities']>, 'account_id' | 'contact_key' | 'record_id'>;

const activitiesPerFetch = 2000;

/** Yields all activities of contact keys, oldest first. Needs a transaction for its cursor. */
export async function* activitiesOf(
  db: Database,
  accountId: number,
  keys: readonly string[],
): AsyncGenerator<readonly PersonActivityRow[]> {
  await sql`
    declare person_activities no scroll cursor for
    select channel, activity, occurred_at, message_id, msg_name, hard_bounce, ip, device, os, browser, link from activities
    where account_id = ${accountId} and contact_key = ${storedKeys(accountId, keys)}
    order by occurred_at, activity, message_id`.execute(db);
  for (;;) {
    const { rows } = await sql<PersonActivityRow>`fetch ${sql.lit(activitiesPerFetch)} from person_activities`.execute(
      db,
    );
    if (rows.length === 0) return;
    yield rows;
  }
}
