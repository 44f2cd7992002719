import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { cancelImport } from './cancel-import.ts';
import { createImport, findUnknownLists } from './create-import.ts';
import { importRuns } from '../store/import-store.ts';
import { importView } from '../store/import-view.ts';

/** Imports of files, beside the files themselves. */
export function importRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createImport', {
    checkFaulty: async ({ params: { account_id }, body }, faults) =>
      findUnknownLists(context, account_id, body.audience_ids ?? [], faults),
    handle: async ({ params: { account_id }, body }) =>
      importView(await createImport(context, account_id, body), context),
  });

  serve(app, 'listImports', {
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(query, {
        load: (before, limit) => importRuns.list(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.import_id,
        view: (row) => importView(row, context),
      });
    },
  });

  serve(app, 'getImport', {
    handle: async ({ params: { account_id: accountId, import_id: id } }) =>
      importView(await importRuns.require(context.db, { accountId, id }), context),
  });

  serve(app, 'cancelImport', {
    handle: async ({ params: { account_id: accountId, import_id: id } }) =>
      importView(await cancelImport(context, { accountId, id }), context),
  });
}
