import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { personColumns, type PersonRow } from '../store/person-row.ts';

/** A row of `personal_tokens`, without the hash. */
export type TokenRow = Omit<Selectable<Tables['personal_tokens']>, 'token_hash'>;

const columns = [
  'token_id',
  'user_id',
  'name',
  'token_hint',
  'account_ids',
  'expires_at',
  'last_used_at',
  'created_at',
] as const;

/** Stores a personal access token. */
export async function insertToken(
  trx: Database,
  token: Pick<TokenRow, 'user_id' | 'name' | 'token_hint' | 'account_ids' | 'expires_at' | 'created_at'>,
  hash: Buffer,
): Promise<TokenRow> {
  return trx
    .insertInto('personal_tokens')
    .values({ ...token, token_hash: hash })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Finds the person of a token that has not expired. */
export async function findTokenPerson(
  db: Database,
  hash: Buffer,
  now: Date,
): Promise<(PersonRow & Pick<TokenRow, 'token_id' | 'account_ids' | 'last_used_at'>) | undefined> {
  return db
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.user_id', 'personal_tokens.user_id')
    .where('personal_tokens.token_hash', '=', hash)
    .where((eb) => eb.or([eb('personal_tokens.expires_at', 'is', null), eb('personal_tokens.expires_at', '>', now)]))
    .where('users.disabled_at', 'is', null)
    .select([
      'personal_tokens.token_id',
      'personal_tokens.account_ids',
      'personal_tokens.last_used_at',
      ...personColumns,
    ])
    .executeTakeFirst();
}

/** Notes that a token was used. */
export async function touchToken(db: Database, tokenId: number, now: Date): Promise<void> {
  await db
    .updateTable('personal_tokens')
    .where('token_id', '=', tokenId)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .set({ last_used_at: now })
    .execute();
}

/** Lists the tokens of a user with numbers greater than `after`. Includes expired tokens. */
export async function listTokens(db: Database, userId: number, after: number, limit: number): Promise<TokenRow[]> {
  return db
    .selectFrom('personal_tokens')
    .where('user_id', '=', userId)
    .where('token_id', '>', after)
    .select(columns)
    .orderBy('token_id')
    .limit(limit)
    .execute();
}

/** Deletes a token of a user. Returns false if the user does not have it. */
export async function deleteToken(db: Database, userId: number, tokenId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('personal_tokens')
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Counts the tokens of a user. */
export async function countTokens(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('personal_tokens')
    .where('user_id', '=', userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes all tokens of a user. */
export async function deleteTokensOf(trx: Database, userId: number): Promise<void> {
  await trx.deleteFrom('personal_tokens').where('user_id', '=', userId).execute();
}
