import type { FastifyInstance } from 'fastify';
import { findDeletion } from '#features/accounts/deletion/deletion-store.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listAuditLog } from './store.ts';
import { auditLogView } from './view.ts';

/** Adds the operator route that lists the audit log. */
export function auditLogRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listAuditLog', {
    async handle({ params, query, actor }) {
      // The audit log of a deleted account stays, for installation administrators.
      const isDeleted = actor.isInstallation && (await findDeletion(context.db, params.account_id)) !== undefined;
      if (!isDeleted) await requireAccount(context.db, params.account_id);
      return pageOf(query, {
        bounds: [Number.MAX_SAFE_INTEGER],
        load: (after, limit) => listAuditLog(context.db, params.account_id, query, after?.[0], limit),
        position: (row) => [row.audit_id],
        view: auditLogView,
      });
    },
  });
}
