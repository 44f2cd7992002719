import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { sha256 } from '#platform/text/sha256.ts';

/** Selects the rows about an erased person. The identifiers are in normalized form. */
export interface TraceFilter {
  readonly identities: readonly string[];
  readonly emails: readonly string[];
  readonly mobiles: readonly string[];
  /** The time of the erasure. Newer rows are not erased. */
  readonly before: Date;
}

/**
 * Deletes the mails to a person and returns how many. A mail that is just being sent still goes
 * out.
 */
export async function deleteMailsTo(
  trx: Database,
  accountId: number,
  { emails, before }: TraceFilter,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from mails
    where account_id = ${accountId} and created_at <= ${before} and lower(recipient) = any (${[...emails]}::text[])`.execute(
    trx,
  );
  return Number(numAffectedRows ?? 0);
}

/** Deletes the sign-ups of a person and returns how many. Their links stop working. */
export async function deleteSignUpsOf(
  trx: Database,
  accountId: number,
  { identities, emails, mobiles, before }: TraceFilter,
  primaryKey: string,
): Promise<number> {
  const addressHashes = emails.map(sha256);
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

/**
 * Removes the addresses of a person from exports and imports that are older than the erasure and
 * have ended.
 */
export async function clearNotifyEmails(
  trx: Database,
  accountId: number,
  { emails, before }: TraceFilter,
): Promise<void> {
  await sql`
    update exports set notify_email = null
    where account_id = ${accountId} and accepted_at <= ${before} and finished_at is not null and lower(notify_email) = any (${[...emails]}::text[])`.execute(
    trx,
  );
  await sql`
    update imports set notify_email = null
    where account_id = ${accountId} and created_at <= ${before} and finished_at is not null and lower(notify_email) = any (${[...emails]}::text[])`.execute(
    trx,
  );
}

/** Deletes the idempotency keys that contain an identifier of a person. */
export async function deleteIdempotencyKeysWith(
  trx: Database,
  accountId: number,
  { identities, emails, mobiles, before }: TraceFilter,
): Promise<void> {
  // Shorter identifiers would match other keys by chance.
  const texts = [...identities, ...emails, ...mobiles]
    .filter((text) => text.length >= 6)
    .map((text) => text.toLowerCase());
  await sql`
    delete from idempotency_keys
    where account_id = ${accountId} and accepted_at <= ${before}
      and exists (select 1 from unnest(${texts}::text[]) as t (text) where strpos(lower(idempotency_key), t.text) > 0)`.execute(
    trx,
  );
}

/** Deletes the awaited opt-outs of contact keys. */
export async function deleteAwaitedOptOuts(trx: Database, accountId: number, keys: readonly string[]): Promise<void> {
  await sql`delete from awaited_opt_outs where account_id = ${accountId} and contact_key = any (${[...keys]}::text[])`.execute(
    trx,
  );
}

/** Tells whether the person of an erasure is still forgotten. */
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
