import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** Channel of the database on which changes of accounts and API keys are announced; the payload is the account id. */
export const accountChannel = 'roster_account';

/**
 * Announces to every process that an account or one of its API keys changes, when the transaction commits.
 *
 * Call it in the transaction of the change; call `credentials.forget` after the commit for this process.
 */
export async function announceAccount(trx: Database, accountId: number): Promise<void> {
  await sql`select pg_notify(${accountChannel}, ${String(accountId)})`.execute(trx);
}
