import { Export, ListExportsQuery, pageAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { cancelExport, requireExport } from './cancel-export.ts';
import { listExports } from '../store/export-store.ts';
import { exportView } from '../store/export-view.ts';

const tag = 'Exports';

const exportParams = Type.Object({
  ...accountParams.properties,
  request_id: Type.String({ format: 'uuid' }),
});

/** The operator's view of exports (decisions §9). */
export function exportOperatorRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/exports',
    operationId: 'listExports',
    tag,
    summary: 'List exports',
    description:
      'Lists the exports of the account, newest first, with how far each is. Those that are over stay for `ROSTER_EXPORT_RETENTION_DAYS` after their file was deleted.',
    params: accountParams,
    query: ListExportsQuery,
    answer: pageAnswer('Export'),
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(query, {
        load: (before, limit) => listExports(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.request_id,
        view: (row) => exportView(row, context.config),
      });
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/exports/:request_id',
    operationId: 'getExport',
    tag,
    summary: 'Get an export',
    description: 'Answers one export: how far it is, its file, and who was told.',
    params: exportParams,
    answer: Export,
    handle: async ({ params: { account_id: accountId, request_id: requestId } }) =>
      exportView(await requireExport(context.db, { accountId, requestId }), context.config),
  });

  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/exports/:request_id/cancel',
    operationId: 'cancelExport',
    tag,
    summary: 'Cancel an export',
    description:
      'Stops an export that waits or runs, in whatever process; nothing of its file stays. The callback and the mail say that it failed, because an operator cancelled it. Cancelling it again changes nothing.',
    params: exportParams,
    answer: Export,
    errors: ['conflict'],
    handle: async ({ params: { account_id: accountId, request_id: requestId } }) =>
      exportView(await cancelExport(context, { accountId, requestId }), context.config),
  });
}
