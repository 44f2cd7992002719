import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { importRuns, keyOf, withoutSecrets } from './import-store.ts';

/** Cancels the unfinished imports of an account that is deleted. */
export async function cancelImportsOf(trx: Database, accountId: number, at: Date): Promise<void> {
  for (const row of await importRuns.listOfAccount(trx, accountId)) {
    await importRuns.endUnfinished(trx, keyOf(row), {
      status: 'cancelled',
      finished_at: at,
      source_url: withoutSecrets,
    });
  }
}

/** Returns the unfinished writes of the imports of an account in the file store. */
export async function unfinishedWritesOfImports(db: Database, accountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`unfinished_writes <> '{}'`)
    .select('unfinished_writes')
    .execute();
  return rows.flatMap((row) => row.unfinished_writes);
}
