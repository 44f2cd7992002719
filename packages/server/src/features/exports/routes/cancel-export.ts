import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { tellTheEnd } from '../run/end-export.ts';
import { cancelledByOperator } from '../run/export-failure.ts';
import { endUnfinished, findExport, type ExportKey, type ExportRow } from '../store/export-store.ts';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * Stops an export for an operator, whether it waits or runs, in whatever process; cancelling it again changes nothing. A running one ends within
 * a second. Whoever waits for it is told that it failed.
 *
 * Throws `not_found`, and `conflict` when it has ended otherwise.
 */
export async function cancelExport(context: Context, key: ExportKey): Promise<ExportRow> {
  await context.db.transaction().execute(async (trx) => {
    const end = { status: 'cancelled', finished_at: context.now(), error: cancelledByOperator } as const;
    const row = await endUnfinished(trx, key, end);
    if (row === undefined) return refuseUnlessCancelled(await requireExport(trx, key));
    await tellTheEnd(trx, context, row);
    await writeAudit(trx, context, {
      accountId: key.accountId,
      actor: 'operator',
      action: 'export.cancel',
      subject: `export:${key.requestId}`,
    });
  });
  return requireExport(context.db, key);
}

/** The export of a request; throws `not_found`. */
export async function requireExport(db: Database, key: ExportKey): Promise<ExportRow> {
  const row = await findExport(db, key);
  if (row !== undefined) return row;
  throw new ApiError('not_found', { params: { what: `export ${key.requestId} in account ${key.accountId}` } });
}

function refuseUnlessCancelled({ status }: ExportRow): void {
  if (status === 'cancelled') return;
  const reason = `The export is ${status}. Only an export that has not ended can be cancelled.`;
  throw new ApiError('conflict', { params: { reason } });
}
