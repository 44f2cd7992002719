import type { Export } from '@roster/contract';
import type { Author } from '#platform/audit-log/audit-log.ts';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { cancelRun } from '#platform/long-runs/cancel.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { cancelledByOperator } from '../place/export-failure.ts';
import { addExportFaults, createExport, previewExport } from '../request/create-export.ts';
import { notifyCaller } from '../run/end-export.ts';
import { exportRuns, type ExportRow } from '../store/export-store.ts';
import { exportView, type FileRights } from '../store/export-view.ts';
import { requesterOf } from './requester.ts';

/** Registers the operator's operations on exports. */
export function exportOperatorRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createExport', {
    checkFaulty: ({ params: { account_id }, body, actor }, faults) =>
      addExportFaults(context, account_id, body, requesterOf(actor, account_id), faults),
    async handle({ params: { account_id: accountId }, body, requestId, actor }) {
      const requester = requesterOf(actor, accountId);
      return viewOf(context, await createExport(context, accountId, requestId, body, requester), requester);
    },
  });

  serve(app, 'previewExport', {
    checkFaulty: ({ params: { account_id }, body, actor }, faults) =>
      addExportFaults(context, account_id, body, requesterOf(actor, account_id), faults),
    handle: ({ params: { account_id }, body, actor, disconnectSignal }) =>
      previewExport(context, account_id, body, requesterOf(actor, account_id), disconnectSignal()),
  });

  serve(app, 'listExports', {
    async handle({ params: { account_id }, query, actor }) {
      await requireAccount(context.db, account_id);
      const rights = requesterOf(actor, account_id);
      const registry = await loadRegistry(context.db, account_id);
      return newestPageOf(query, {
        load: (before, limit) => exportRuns.list(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.request_id,
        view: (row) => exportView(row, context, { registry, rights }),
        hasLargeRows: true,
      });
    },
  });

  serve(app, 'getExport', {
    handle: async ({ params: { account_id: accountId, request_id: id }, actor }) =>
      viewOf(context, await exportRuns.require(context.db, { accountId, id }), requesterOf(actor, accountId)),
  });

  serve(app, 'cancelExport', {
    handle: async ({ params: { account_id: accountId, request_id: id }, actor }) =>
      viewOf(context, await cancelExport(context, { accountId, id }, actor.author), requesterOf(actor, accountId)),
  });
}

async function viewOf(context: Context, row: ExportRow, rights: FileRights): Promise<Export> {
  return exportView(row, context, { registry: await loadRegistry(context.db, row.account_id), rights });
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
