import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * First number of the advisory lock of a lane; the second is the account.
 *
 * The holder of an account's lane is the only one that writes its contacts. That is what lets the pipeline read contacts, apply requests to
 * them in memory and write them back without locking rows.
 */
export const laneLockClass = 7001;

/** Takes the lane of an account until the transaction ends; waits for the worker that holds it. */
export async function lockLane(trx: Database, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${laneLockClass}, ${accountId})`.execute(trx);
}
