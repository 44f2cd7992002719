import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ApiKeyRights } from '#platform/http/authentication/actor.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';

/** Loads the credential of a caller without an API key; undefined for an unknown account. */
export async function findAccountCredential(
  db: Database,
  accountId: number,
  rights: Pick<Credential, 'author' | 'scopes'>,
): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .select(['primary_key', 'time_zone', 'settings'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    ...rights,
    accountId,
    apiKeyId: undefined,
    primaryKey: row.primary_key,
    timeZone: row.time_zone,
    settings: row.settings,
    expiresAt: null,
  };
}

/**
 * Loads the credentials of API keys by their SHA-256 in hexadecimal.
 * Leaves out revoked and unknown keys, but includes expired keys.
 */
export async function findCredentials(db: Database, hashes: readonly string[]): Promise<Map<string, Credential>> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.account_id', 'api_keys.account_id')
    .where('key_hash', '=', sql<Buffer>`any(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])`)
    .where('revoked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .select([
      'key_hash',
      'api_keys.account_id',
      'api_key_id',
      'scopes',
      'expires_at',
      'primary_key',
      'time_zone',
      'settings',
    ])
    .execute();
  return new Map(
    rows.map((row) => [
      row.key_hash.toString('hex'),
      {
        accountId: row.account_id,
        apiKeyId: row.api_key_id,
        author: `api-key:${row.api_key_id}` as const,
        scopes: new Set(row.scopes),
        primaryKey: row.primary_key,
        timeZone: row.time_zone,
        settings: row.settings,
        expiresAt: row.expires_at,
      },
    ]),
  );
}

/** Loads the rights of an API key by its number; undefined if it is revoked, expired or unknown. */
export async function findPresentApiKey(db: Database, apiKeyId: number, now: Date): Promise<ApiKeyRights | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .where('api_key_id', '=', apiKeyId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .select(['account_id', 'scopes'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { author: `api-key:${apiKeyId}`, accountId: row.account_id, scopes: new Set(row.scopes) };
}
