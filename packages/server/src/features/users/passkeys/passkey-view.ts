import type { Passkey } from '@roster/contract';
import type { PasskeyRow } from './passkey-store.ts';

/** Converts a passkey to its form in the API. */
export function passkeyView(row: PasskeyRow): Passkey {
  return {
    passkey_id: row.passkey_id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
