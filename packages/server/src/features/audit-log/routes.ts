import { pageAnswer, PageQuery } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listAuditLog } from './store.ts';
import { auditLogView } from './view.ts';

/** Operations on the audit log (decisions §9). */
export function auditLogRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/audit-log',
    operationId: 'listAuditLog',
    tag: 'Audit log',
    summary: 'List the audit log',
    description:
      'Who changed what in the account, newest first: the account itself, API keys, audiences, attributes. An entry is written in the transaction of the change.',
    params: accountParams,
    query: PageQuery,
    answer: pageAnswer('AuditLogEntry'),
    async handle({ params, query }) {
      await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [Number.MAX_SAFE_INTEGER],
        load: (after, limit) => listAuditLog(context.db, params.account_id, after?.[0], limit),
        position: (row) => [row.audit_id],
        view: auditLogView,
      });
    },
  });
}
