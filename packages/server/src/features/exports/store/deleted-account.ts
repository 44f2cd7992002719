import type { Database } from '#platform/database/connection/database.ts';
import { exportRuns, keyOf } from './export-store.ts';

/**
 * Cancels the unfinished exports of an account that is deleted, without callbacks and mails, and
 * deletes its export schedules.
 */
export async function cancelExportsOf(trx: Database, accountId: number, at: Date): Promise<void> {
  for (const row of await exportRuns.listOfAccount(trx, accountId)) {
    const error = 'The account was deleted.';
    await exportRuns.endUnfinished(trx, keyOf(row), { status: 'cancelled', finished_at: at, error });
  }
  // Last, because the end of an export locks first the export, and then its schedule.
  await trx.deleteFrom('export_schedules').where('account_id', '=', accountId).execute();
}

/** Returns the unfinished writes of the exports of an account in the file store. */
export async function unfinishedWritesOfExports(db: Database, accountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .where('unfinished_write', 'is not', null)
    .where('place', 'is', null)
    .select('unfinished_write')
    .execute();
  return rows.flatMap((row) => row.unfinished_write ?? []);
}
