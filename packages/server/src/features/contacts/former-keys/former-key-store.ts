import { sql } from 'kysely';
import type pg from 'pg';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { opaqueAccount, opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { FormerHolder, FormerKeys, GivenUpKey } from './former-keys.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { WorkingSet } from '../batch/working-set.ts';

/** A key that a contact had before. */
export interface FormerKey {
  readonly contact_key: string;
  /** When the contact got another key. */
  readonly changed_at: Date;
}

/** Loads which contacts had the given keys before. */
export async function loadFormerHolders(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  keys: Iterable<string>,
): Promise<FormerHolder[]> {
  const { rows } = await client.query<{ key: string; contact_id: number; changed_at: Date }>({
    text: `
      select f.contact_key as key, f.contact_id, f.changed_at from unnest($2::text[]) as wanted (key) cross join lateral (
        select * from former_keys f where f.account_id = ${opaqueFirstParameter()} and f.contact_key = wanted.key) f`,
    values: [accountId, arrayLiteral(keys)],
  });
  return rows.map(({ key, contact_id, changed_at }) => ({
    key,
    contactId: contact_id,
    changedAt: changed_at.getTime(),
  }));
}

/**
 * Returns the statements that store the keys that contacts of a batch gave up, and delete the
 * former keys of contacts that it deletes. Run them after the statements that write the contacts.
 */
export function formerKeyWrites(accountId: number, { all }: WorkingSet, { givenUp }: FormerKeys): Write[] {
  const gone = all.filter((contact) => contact.deleted && contact.stored !== null).map(({ id }) => id);
  const writes: Write[] = [];
  if (gone.length > 0) writes.push((client) => remove(databaseOn(client), accountId, gone));
  if (givenUp.length > 0) writes.push((client) => keep(databaseOn(client), accountId, givenUp));
  return writes;
}

/** Loads the former keys of a contact, oldest first. */
export async function formerKeys(db: Database, accountId: number, contactId: number): Promise<FormerKey[]> {
  return db
    .selectFrom('former_keys')
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .select(['contact_key', 'changed_at'])
    .orderBy('changed_at')
    .execute();
}

/** Stores keys that contacts gave up. Finds the contacts by their present keys. */
async function keep(trx: Database, accountId: number, keys: readonly GivenUpKey[]): Promise<void> {
  const presentKeys = keys.map(({ contact }) => contact.key);
  const givenUp = keys.map(({ key }) => key);
  const times = keys.map(({ changedAt }) => new Date(changedAt).toISOString());
  await sql`
    insert into former_keys (account_id, contact_id, contact_key, changed_at)
    select c.account_id, c.contact_id, g.former_key, g.changed_at
    from unnest(${presentKeys}::text[], ${givenUp}::text[], ${times}::timestamptz[]) as g (contact_key, former_key, changed_at)
    join contacts c on c.account_id = ${opaqueAccount(accountId)} and c.contact_key = g.contact_key
    on conflict (account_id, contact_id, contact_key) do update set changed_at = excluded.changed_at`.execute(trx);
}

async function remove(trx: Database, accountId: number, ids: readonly number[]): Promise<void> {
  await sql`delete from former_keys where account_id = ${opaqueAccount(accountId)} and contact_id = any (${[...ids]}::bigint[])`.execute(
    trx,
  );
}
