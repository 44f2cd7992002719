import type { Account, AccountDetail, CreatedAccount } from '@roster/contract';
import { effectiveSettings } from './store/account-settings.ts';
import type { AccountRow } from './store/account-store.ts';
import type { NewAccount } from './accounts.ts';

/** An account as the operator API shows it: every setting is there, defaults included. */
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

/** An account with what it has used of its daily limit. */
export function accountDetailView(row: AccountRow, dailyBatch: AccountDetail['daily_batch']): AccountDetail {
  return { ...accountView(row), daily_batch: dailyBatch };
}

/** A new account with its first API key, which is shown only this once. */
export function createdAccountView({ account, row, apiKey }: NewAccount): CreatedAccount {
  return { ...accountView(account), api_key_id: row.api_key_id, api_key: apiKey };
}
