import type { Database } from '#platform/database/connection/database.ts';
import { type ApiError, notFound } from '#platform/errors/api-error.ts';
import { findAccount, lockAccount, type AccountRow } from './account-store.ts';

/** Loads an account. Throws `not_found`. */
export async function requireAccount(db: Database, accountId: number): Promise<AccountRow> {
  const account = await findAccount(db, accountId);
  if (account === undefined) throw unknownAccount(accountId);
  return account;
}

/** Loads an account and locks it until the transaction ends. Throws `not_found`. */
export async function requireLockedAccount(trx: Database, accountId: number): Promise<AccountRow> {
  const account = await lockAccount(trx, accountId);
  if (account === undefined) throw unknownAccount(accountId);
  return account;
}

/** Makes the error for an account that does not exist. */
export function unknownAccount(accountId: number): ApiError {
  return notFound(`account ${accountId}`);
}
