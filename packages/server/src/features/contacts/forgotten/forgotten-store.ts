import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { opaqueAccount, opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { Identifier } from '../model/identifiers.ts';
import type { ForgottenIdentifier, ForgottenPeople } from './forgotten-people.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';

/** The key of the hashes of an account. Made once for many: with a buffer in its place, each hash takes seven times as long. */
export function forgottenKey(salt: Buffer): KeyObject {
  return createSecretKey(salt);
}

/** The hash of an identifier: without the salt of the account, no list of addresses can be tried against it. */
export function hashIdentifier(key: KeyObject, identifier: Identifier): Buffer {
  return createHmac('sha256', key).update(identifier).digest();
}

/** Those of some identifiers that an account has forgotten. */
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
        select hash, request_id from forgotten f where f.account_id = ${opaqueFirstParameter} and f.hash = decode(wanted.hash, 'hex')) f`,
    values: [accountId, arrayLiteral(byHash.keys())],
  });
  return rows.map(({ hash, request_id }) => ({ identifier: byHash.get(hash.toString('hex'))!, erasureId: request_id }));
}

/** The statements that write which people a batch has remembered. */
export function rememberingWrites(accountId: number, { remembered }: ForgottenPeople): Write[] {
  if (remembered.size === 0) return [];
  return [(client) => deleteForgotten(databaseOn(client), accountId, [...remembered])];
}

/** Keeps the hashes of what an erased person was known by. */
export async function insertForgotten(
  trx: Database,
  accountId: number,
  erasureId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  if (identifiers.length === 0) return;
  const { forgotten_salt: salt } = await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set((eb) => ({ forgotten_salt: eb.fn.coalesce('forgotten_salt', eb.val(randomBytes(32))) }))
    .returning('forgotten_salt')
    .executeTakeFirstOrThrow();
  const key = forgottenKey(salt!);
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

/** Forgets what was kept of some erasures. */
export async function deleteForgotten(db: Database, accountId: number, erasureIds: readonly string[]): Promise<void> {
  await sql`delete from forgotten where account_id = ${opaqueAccount(accountId)} and request_id = any (${[...erasureIds]}::uuid[])`.execute(
    db,
  );
}

/** The number of people whom an account has forgotten. */
export async function countForgotten(db: Database, accountId: number): Promise<number> {
  const { people } = await db
    .selectFrom('forgotten')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.count<number>('request_id').distinct().as('people'))
    .executeTakeFirstOrThrow();
  return people;
}

/** The erasures of people who had any of some hashed identifiers. */
export async function erasuresWith(db: Database, accountId: number, hashes: readonly Buffer[]): Promise<string[]> {
  const { rows } = await sql<{ request_id: string }>`
    select distinct request_id from forgotten where account_id = ${opaqueAccount(accountId)} and hash = any (${[...hashes]}::bytea[])`.execute(
    db,
  );
  return rows.map((row) => row.request_id);
}
