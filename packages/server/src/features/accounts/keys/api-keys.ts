import { apiKeysPerAccount, defaultScopes, type CreateApiKeyBody, type Scope } from '@roster/contract';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Actor } from '#platform/http/authentication/actor.ts';
import { requirePermission } from '#platform/http/authentication/require-actor.ts';
import { conflict, invalidField, notFound } from '#platform/errors/api-error.ts';
import { announceAccount } from '../store/account-channel.ts';
import { requireLockedAccount } from '../store/require-account.ts';
import { apiKeyHint, generateApiKey, hashApiKey } from './api-key.ts';
import { countActiveApiKeys, insertApiKey, revokeStoredApiKey, type ApiKeyRow } from './api-key-store.ts';

/** A new API key. This is the only time that the key itself is known. */
export interface NewApiKey {
  readonly row: ApiKeyRow;
  readonly apiKey: string;
}

/** The fields of a new API key. */
export interface ApiKeyFields {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Default: never. */
  readonly expiresAt?: Date | null;
  /** The key itself. Default: a generated key. */
  readonly apiKey?: string | undefined;
}

/** Creates an API key in a transaction of the caller. The account must exist. */
export async function addApiKey(
  trx: Database,
  context: Context,
  accountId: number,
  { name, scopes, expiresAt = null, apiKey = generateApiKey() }: ApiKeyFields,
  actor: Author,
): Promise<NewApiKey> {
  const row = await insertApiKey(trx, {
    account_id: accountId,
    name,
    key_hash: hashApiKey(apiKey),
    key_hint: apiKeyHint(apiKey),
    scopes: [...new Set(scopes)],
    expires_at: expiresAt,
    created_at: context.now(),
  });
  await writeAudit(trx, context, {
    accountId,
    actor,
    action: 'api-key.create',
    subject: `api-key:${row.api_key_id}`,
    details: { name, scopes: row.scopes, expires_at: expiresAt?.toISOString() ?? null },
  });
  await announceAccount(trx, accountId);
  return { row, apiKey };
}

/**
 * Creates an API key. Throws:
 * - `invalid_request` if `expires_at` is in the past
 * - `missing_permission` if the caller does not have one of the scopes
 * - `not_found`, and `conflict` if the account has too many active keys
 */
export async function createApiKey(
  context: Context,
  accountId: number,
  body: CreateApiKeyBody,
  actor: Actor,
): Promise<NewApiKey> {
  const scopes = body.scopes ?? defaultScopes;
  // A key must not have more rights than the person who makes it.
  for (const scope of scopes) requirePermission(actor, scope, accountId);
  const expiresAt = body.expires_at == null ? null : new Date(body.expires_at);
  if (expiresAt !== null && expiresAt <= context.now()) {
    throw invalidField('out_of_range', 'expires_at', 'must be in the future');
  }
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    if ((await countActiveApiKeys(trx, accountId, context.now())) >= apiKeysPerAccount) {
      throw conflict(`The account has ${apiKeysPerAccount} active API keys, which is the maximum. Revoke one of them.`);
    }
    return addApiKey(trx, context, accountId, { name: body.name, scopes, expiresAt }, actor.author);
  });
}

/** Revokes an API key permanently. Does nothing if it is already revoked. Throws `not_found`. */
export async function revokeApiKey(
  context: Context,
  accountId: number,
  apiKeyId: number,
  author: Author,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const outcome = await revokeStoredApiKey(trx, accountId, apiKeyId, context.now());
    if (outcome === undefined) {
      throw notFound(`API key ${apiKeyId} in account ${accountId}`);
    }
    if (outcome === 'unchanged') return;
    await writeAudit(trx, context, {
      accountId,
      actor: author,
      action: 'api-key.revoke',
      subject: `api-key:${apiKeyId}`,
    });
    await announceAccount(trx, accountId);
  });
}
