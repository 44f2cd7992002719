import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { cancelExport } from './cancel-export.ts';
import { exportRuns } from '../store/export-store.ts';
import { exportView } from '../store/export-view.ts';

/** The operator's view of exports. */
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
    handle: async ({ params: { account_id: accountId, request_id: id } }) =>
      exportView(await cancelExport(context, { accountId, id }), context.config),
  });
}
