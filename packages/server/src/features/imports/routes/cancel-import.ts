import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { endWithoutRun } from '../run/end-import.ts';
import { findImport, type ImportKey, type ImportRow } from '../store/import-store.ts';

/**
 * Stops an import for an operator, whatever it does, in whatever process; cancelling it again changes nothing. Rows that were applied stay.
 * What waits in the pipeline is withdrawn, and the file of failures is written, by a job at once.
 *
 * Throws `not_found`, and `conflict` when it has ended otherwise.
 */
export async function cancelImport(context: Context, key: ImportKey): Promise<ImportRow> {
  await context.db.transaction().execute(async (trx) => {
    const row = await endWithoutRun(trx, key, { status: 'cancelled', finished_at: context.now() });
    if (row === undefined) return refuseUnlessCancelled(await requireImport(trx, key));
    await writeAudit(trx, context, {
      accountId: key.accountId,
      actor: 'operator',
      action: 'import.cancel',
      subject: `import:${key.importId}`,
    });
    context.metrics.imports.inc({ outcome: 'cancelled' });
  });
  return requireImport(context.db, key);
}

/** The import of a key; throws `not_found`. */
export async function requireImport(db: Database, key: ImportKey): Promise<ImportRow> {
  const row = await findImport(db, key);
  if (row !== undefined) return row;
  throw new ApiError('not_found', { params: { what: `import ${key.importId} in account ${key.accountId}` } });
}

function refuseUnlessCancelled({ status }: ImportRow): void {
  if (status === 'cancelled') return;
  const reason = `The import is ${status}. Only an import that has not ended can be cancelled.`;
  throw new ApiError('conflict', { params: { reason } });
}
