import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** The NOTIFY channel for changes of accounts and API keys. The payload is the account id. */
export const accountChannel = 'roster_account';

/**
 * Notifies all processes that an account or one of its API keys has changed.
 *
 * Call it in the transaction of the change: PostgreSQL sends the notification at the commit.
 * After the commit, call `credentials.forget` for this process.
 */
export async function announceAccount(trx: Database, accountId: number): Promise<void> {
  await sql`select pg_notify(${accountChannel}, ${String(accountId)})`.execute(trx);
}
