import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** What a person was known by, in comparable forms, before a moment. */
export interface Names {
  readonly identities: readonly string[];
  readonly emails: readonly string[];
  readonly mobiles: readonly string[];
  readonly before: Date;
}

/** Deletes the mails to a person; answers how many. One that is being sent at this moment goes out. */
export async function deleteMailsTo(trx: Database, accountId: number, { emails, before }: Names): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mails
    where account_id = ${accountId} and created_at <= ${before} and lower(recipient) = any (${[...emails]}::text[])`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

/** Deletes the sign-ups of a person; answers how many. Their links confirm nobody any more. */
export async function deleteSignUpsOf(
  trx: Database,
  accountId: number,
  { identities, emails, mobiles, before }: Names,
  primaryKey: string,
): Promise<number> {
  const addressHashes = emails.map((email) => createHash('sha256').update(email).digest());
  const identity =
    primaryKey === 'MOBILE'
      ? sql`regexp_replace(contact ->> 'identity', '[^0-9]', '', 'g') = any (${[...mobiles]}::text[])`
      : sql`contact ->> 'identity' = any (${[...identities]}::text[])`;
  const { numAffectedRows } = await sql`
    delete from sign_ups
    where account_id = ${accountId} and created_at <= ${before} and (address_hash = any (${addressHashes}::bytea[])
      or contact ->> 'mobile' = any (${[...mobiles]}::text[]) or ${identity})`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Forgets that exports that have ended were announced to a person. */
export async function forgetNotified(trx: Database, accountId: number, { emails, before }: Names): Promise<void> {
  await sql`
    update exports set notify_email = null
    where account_id = ${accountId} and finished_at <= ${before} and lower(notify_email) = any (${[...emails]}::text[])`.execute(
    trx,
  );
}

/** Forgets idempotency keys that contain what a person was known by; others stay, for the 24 hours that they are good for. */
export async function deleteKeysWith(
  trx: Database,
  accountId: number,
  { identities, emails, mobiles, before }: Names,
): Promise<void> {
  // Shorter ones stand in keys by chance.
  const texts = [...identities, ...emails, ...mobiles]
    .filter((text) => text.length >= 6)
    .map((text) => text.toLowerCase());
  await sql`
    delete from idempotency_keys
    where account_id = ${accountId} and accepted_at <= ${before}
      and exists (select from unnest(${texts}::text[]) as t (text) where strpos(lower(idempotency_key), t.text) > 0)`.execute(
    trx,
  );
}

/** Deletes the opt-outs that await contacts with some keys. */
export async function deleteAwaitedOptOuts(trx: Database, accountId: number, keys: readonly string[]): Promise<void> {
  await sql`delete from awaited_opt_outs where account_id = ${accountId} and contact_key = any (${[...keys]}::text[])`.execute(
    trx,
  );
}

/** True while hashes of an erased person are kept. */
export async function isForgotten(db: Database, accountId: number, requestId: string): Promise<boolean> {
  const row = await db
    .selectFrom('forgotten')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .select('request_id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
