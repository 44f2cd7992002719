import type { Author } from '#platform/audit-log/audit-log.ts';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import { cancelRun } from '#platform/long-runs/cancel.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { cancelledByOperator } from '../run/export-failure.ts';
import { notifyCaller } from '../run/end-export.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';
import { exportView } from '../store/export-view.ts';

/** Registers the operator's operations on exports. */
export function exportOperatorRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listExports', {
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(query, {
        load: (before, limit) => exportRuns.list(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.request_id,
        view: (row) => exportView(row, context.config),
      });
    },
  });

  serve(app, 'getExport', {
    handle: async ({ params: { account_id: accountId, request_id: id } }) =>
      exportView(await exportRuns.require(context.db, { accountId, id }), context.config),
  });

  serve(app, 'cancelExport', {
    handle: async ({ params: { account_id: accountId, request_id: id }, actor }) =>
      exportView(await cancelExport(context, { accountId, id }, actor.author), context.config),
  });
}

/** Cancels an export; see {@link cancelRun}. Its run ends within a second. */
async function cancelExport(context: Context, key: LongRunKey, author: Author): Promise<ExportRow> {
  return cancelRun(context, exportRuns, key, author, async (trx) => {
    const end = { status: 'cancelled', finished_at: context.now(), error: cancelledByOperator } as const;
    const row = await exportRuns.endUnfinished(trx, key, end);
    if (row !== undefined) await notifyCaller(trx, context, row);
    return row;
  });
}
