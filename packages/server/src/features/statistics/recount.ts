import type pg from 'pg';
import { addActivityCounts, timeZoneOf } from '#features/activities/counts/activity-count-store.ts';
import { compareActivityCounts, findMessageNames } from '#features/activities/counts/activity-recount.ts';
import { listPartitions } from '#features/activities/store/partition-store.ts';
import { addAttributeFills, addCounts } from '#features/contacts/counts/contact-count-store.ts';
import { compareContactCounts, compareFills } from '#features/contacts/counts/contact-recount.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { inTransaction } from '#platform/database/connection/in-transaction.ts';
import { databaseOn, openDatabase, type Database } from '#platform/database/connection/database.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';

/** How many counts of an account differed from a count of its rows. */
export interface Differences {
  /** Quarters of an hour and totals of contacts. */
  contacts: number;
  /** Attributes. */
  attributes: number;
  /** Days, channels, kinds and messages of activities. */
  activities: number;
}

/** What to recount. */
export interface RecountOptions {
  readonly accountId: number;
  readonly at: Date;
  /** True when the account was never counted. Default: false. */
  readonly isFirst?: boolean;
  /** False: only compares. */
  readonly isCorrected: boolean;
  readonly signal: AbortSignal;
}

/**
 * Compares all counts of an account with its contacts and activities, and corrects them.
 *
 * No other process has to wait. Each part is compared in one statement, which sees a moment between
 * two transactions. Then the difference is added to the counts, whatever was added meanwhile.
 */
export async function recount(pool: pg.Pool, options: RecountOptions): Promise<Differences> {
  const { accountId, isCorrected, isFirst = false, at, signal } = options;
  const found: Differences = { contacts: 0, attributes: 0, activities: 0 };
  const db = openDatabase(pool);
  // Waits for the batches that were planned with the former time zone of the account.
  if (isCorrected) await db.transaction().execute((trx) => lockLane(trx, accountId));
  await inStep(pool, accountId, async (client) => {
    const changes = await compareContactCounts(databaseOn(client), accountId, { at, isFirst });
    const totals = changes.totals.filter((by) => by !== 0).length;
    found.contacts = changes.quarters.size + totals;
    if (isCorrected && found.contacts > 0) await addCounts(client, accountId, changes);
  });
  signal.throwIfAborted();
  await inStep(pool, accountId, async (client) => {
    const fills = await compareFills(databaseOn(client), accountId);
    found.attributes = fills.size;
    if (isCorrected) await addAttributeFills(client, accountId, fills);
  });
  for (const partition of await listPartitions(db)) {
    signal.throwIfAborted();
    await inStep(pool, accountId, async (client) => {
      const trx = databaseOn(client);
      const counts = await compareActivityCounts(trx, accountId, partition, await timeZoneOf(trx, accountId));
      found.activities += counts.length;
      if (!isCorrected) return;
      await addActivityCounts(trx, accountId, { counts, names: await findMessageNames(trx, accountId, partition) });
    });
  }
  return found;
}

/** Runs a step in a transaction. Two processes must not correct the same difference. */
async function inStep(pool: pg.Pool, accountId: number, step: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1, $2)', [advisoryLocks.countRebuild, accountId]);
    // The pipeline turns these off for its own statements. A comparison reads all rows.
    await client.query(
      'set local enable_seqscan = on; set local enable_hashjoin = on; set local enable_mergejoin = on',
    );
    await step(client);
  });
}

/** Returns the ids of all accounts, in order. */
export async function allAccounts(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('accounts').select('account_id').orderBy('account_id').execute();
  return rows.map((row) => row.account_id);
}
