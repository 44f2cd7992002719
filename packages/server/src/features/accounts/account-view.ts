import type { Account, AccountDetail, CreatedAccount } from '@roster/contract';
import { effectiveSettings } from './store/account-settings.ts';
import type { AccountRow } from './store/account-store.ts';
import type { NewAccount } from './accounts.ts';

/** Converts an account to its form in the operator API, with the defaults of all settings. */
export function accountView(row: AccountRow): Account {
  return {
    account_id: row.account_id,
    name: row.name,
    primary_key: row.primary_key,
    time_zone: row.time_zone,
    settings: effectiveSettings(row.settings),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Converts an account, with what it uses of its limits. */
export function accountDetailView(
  row: AccountRow,
  used: Pick<AccountDetail, 'daily_batch' | 'stored_files'>,
): AccountDetail {
  return { ...accountView(row), ...used };
}

/** Converts a new account, with its first API key, which is never shown again. */
export function createdAccountView({ account, row, apiKey }: NewAccount): CreatedAccount {
  return { ...accountView(account), api_key_id: row.api_key_id, api_key: apiKey };
}
