import type { ApiKey, CreatedApiKey } from '@roster/contract';
import type { ApiKeyRow } from './api-key-store.ts';
import type { NewApiKey } from './api-keys.ts';

/** Converts an API key to its form in the operator API. */
export function apiKeyView(row: ApiKeyRow, now: Date): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= now;
  return {
    api_key_id: row.api_key_id,
    name: row.name,
    key_hint: row.key_hint,
    scopes: row.scopes,
    status: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** Converts a new API key, with the key itself, which is never shown again. */
export function createdApiKeyView({ row, apiKey }: NewApiKey, now: Date): CreatedApiKey {
  return { ...apiKeyView(row, now), api_key: apiKey };
}
