import type { Insertable, Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `api_keys`, without the hash. */
export type ApiKeyRow = Omit<Selectable<Tables['api_keys']>, 'key_hash'>;

const columns = [
  'account_id',
  'api_key_id',
  'name',
  'key_hint',
  'scopes',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'created_at',
] as const;

/** Stores an API key. */
export async function insertApiKey(trx: Database, key: Insertable<Tables['api_keys']>): Promise<ApiKeyRow> {
  return trx.insertInto('api_keys').values(key).returning(columns).executeTakeFirstOrThrow();
}

/**
 * Loads API keys of an account with ids greater than `after`, in the order of their ids.
 * Includes revoked and expired keys.
 */
export async function listApiKeys(db: Database, accountId: number, after: number, limit: number): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('api_key_id', '>', after)
    .select(columns)
    .orderBy('api_key_id')
    .limit(limit)
    .execute();
}

/** Counts the API keys of an account that are not revoked and have not expired. */
export async function countActiveApiKeys(db: Database, accountId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Revokes an API key. Returns `unchanged` if it was already revoked, undefined if it is unknown.
 */
export async function revokeStoredApiKey(
  trx: Database,
  accountId: number,
  apiKeyId: number,
  at: Date,
): Promise<'revoked' | 'unchanged' | undefined> {
  const key = await trx
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .select('revoked_at')
    .forUpdate()
    .executeTakeFirst();
  if (key === undefined) return undefined;
  if (key.revoked_at !== null) return 'unchanged';
  await trx
    .updateTable('api_keys')
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', apiKeyId)
    .set({ revoked_at: at })
    .execute();
  return 'revoked';
}
