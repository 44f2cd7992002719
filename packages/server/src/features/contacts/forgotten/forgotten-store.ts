import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { opaqueAccount, opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { Identifier } from '../model/identifiers.ts';
import type { ForgottenIdentifier, ForgottenPeople } from './forgotten-people.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';

/**
 * Makes the key for the hashes of an account. Use one key for many hashes: hashing with the salt
 * itself takes seven times as long.
 */
export function forgottenKey(salt: Buffer): KeyObject {
  return createSecretKey(salt);
}

/** Hashes an identifier. Without the salt, no one can test which address has the hash. */
export function hashIdentifier(key: KeyObject, identifier: Identifier): Buffer {
  return createHmac('sha256', key).update(identifier).digest();
}

/** Loads which of the identifiers belong to forgotten people. */
export async function loadForgotten(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  salt: Buffer,
  identifiers: Iterable<Identifier>,
): Promise<ForgottenIdentifier[]> {
  const key = forgottenKey(salt);
  const byHash = new Map<string, Identifier>();
  for (const identifier of identifiers) byHash.set(hashIdentifier(key, identifier).toString('hex'), identifier);
  if (byHash.size === 0) return [];
  const { rows } = await client.query<{ hash: Buffer; request_id: string }>({
    text: `
      select f.hash, f.request_id from unnest($2::text[]) as wanted (hash) cross join lateral (
        select hash, request_id from forgotten f where f.account_id = ${opaqueFirstParameter()} and f.hash = decode(wanted.hash, 'hex')) f`,
    values: [accountId, arrayLiteral(byHash.keys())],
  });
  return rows.map(({ hash, request_id }) => ({ identifier: byHash.get(hash.toString('hex'))!, erasureId: request_id }));
}

/** Returns the statement that deletes the hashes of people whom a batch has readmitted. */
export function readmissionWrites(accountId: number, { readmitted }: ForgottenPeople): Write[] {
  if (readmitted.size === 0) return [];
  return [(client) => deleteForgotten(databaseOn(client), accountId, [...readmitted])];
}

/** Returns the salt of an account. Creates it for the first erased person. */
async function forgottenSalt(trx: Database, accountId: number): Promise<Buffer> {
  const account = trx.selectFrom('accounts').where('account_id', '=', accountId).select('forgotten_salt');
  // A cluster has the row on every node, so it is written only when needed.
  const { forgotten_salt: stored } = await account.executeTakeFirstOrThrow();
  if (stored !== null) return stored;
  const { forgotten_salt: salt } = await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set((eb) => ({ forgotten_salt: eb.fn.coalesce('forgotten_salt', eb.val(randomBytes(32))) }))
    .returning('forgotten_salt')
    .executeTakeFirstOrThrow();
  return salt!;
}

/** Stores the hashes of the identifiers of an erased person. */
export async function insertForgotten(
  trx: Database,
  accountId: number,
  erasureId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  if (identifiers.length === 0) return;
  const key = forgottenKey(await forgottenSalt(trx, accountId));
  await trx
    .insertInto('forgotten')
    .values(
      identifiers.map((identifier) => ({
        account_id: accountId,
        hash: hashIdentifier(key, identifier),
        request_id: erasureId,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the hashes of some erasures, so that their people can be stored again. */
export async function deleteForgotten(db: Database, accountId: number, erasureIds: readonly string[]): Promise<void> {
  await sql`delete from forgotten where account_id = ${opaqueAccount(accountId)} and request_id = any (${[...erasureIds]}::uuid[])`.execute(
    db,
  );
}

/** Counts the forgotten people of an account. */
export async function countForgotten(db: Database, accountId: number): Promise<number> {
  const { people } = await db
    .selectFrom('forgotten')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.count<number>('request_id').distinct().as('people'))
    .executeTakeFirstOrThrow();
  return people;
}

/** Returns the erasures (request ids) of people who had any of the hashed identifiers. */
export async function erasuresWith(db: Database, accountId: number, hashes: readonly Buffer[]): Promise<string[]> {
  const { rows } = await sql<{ request_id: string }>`
    select distinct request_id from forgotten where account_id = ${opaqueAccount(accountId)} and hash = any (${[...hashes]}::bytea[])`.execute(
    db,
  );
  return rows.map((row) => row.request_id);
}
