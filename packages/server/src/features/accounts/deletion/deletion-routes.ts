import { maxInteger, type AccountDeletion } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import { pageOf } from '#platform/http/paging/page.ts';
import type { Service } from '#platform/http/server/service.ts';
import { deleteAccount, requireDeletion } from './delete-account.ts';
import { listDeletions, type DeletionRow } from './deletion-store.ts';

/** Adds the operator routes that delete accounts and show deletions. */
export function deletionRoutes(app: FastifyInstance, { context, credentials }: Service): void {
  serve(app, 'deleteAccount', {
    async handle({ params: { account_id: accountId }, query, actor }) {
      const deletion = await deleteAccount(context, accountId, query.name, actor.author);
      credentials.forget(accountId);
      return deletionView(deletion);
    },
  });

  serve(app, 'listAccountDeletions', {
    handle: async ({ query }) =>
      pageOf(query, {
        bounds: [maxInteger],
        load: (after, limit) => listDeletions(context.db, after?.[0] ?? 0, limit),
        position: (row) => [row.account_id],
        view: deletionView,
      }),
  });

  serve(app, 'getAccountDeletion', {
    handle: async ({ params }) => deletionView(await requireDeletion(context.db, params.deleted_account_id)),
  });
}

function deletionView(row: DeletionRow): AccountDeletion {
  return {
    account_id: row.account_id,
    name: row.name,
    author: row.author,
    status: row.finished_at === null ? 'running' : 'completed',
    step: row.step,
    deleted_rows: row.deleted_rows,
    requested_at: row.requested_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
