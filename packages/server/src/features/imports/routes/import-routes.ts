import type { Author } from '#platform/audit-log/audit-log.ts';
import type { FastifyInstance } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import { cancelRun } from '#platform/long-runs/cancel.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { addUnknownListFaults, checkReceivers, createImport, findMapping } from './create-import.ts';
import { endWithoutRun } from '../run/end-import.ts';
import { importRuns, type ImportRow } from '../store/import-store.ts';
import { importView } from '../store/import-view.ts';

/** Registers the operations on imports, except those that transfer files. */
export function importRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'createImport', {
    async checkFaulty({ params: { account_id }, body }, faults) {
      await addUnknownListFaults(context, account_id, body.audience_ids ?? [], faults);
      await findMapping(context.db, account_id, body.mapping_of, faults);
      checkReceivers(context, body, faults);
    },
    handle: async ({ params: { account_id }, body, actor }) =>
      importView(await createImport(context, account_id, body, actor.author), context),
  });

  serve(app, 'listImports', {
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(query, {
        load: (before, limit) => importRuns.list(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.import_id,
        view: (row) => importView(row, context),
        hasLargeRows: true,
      });
    },
  });

  serve(app, 'getImport', {
    handle: async ({ params: { account_id: accountId, import_id: id } }) =>
      importView(await importRuns.require(context.db, { accountId, id }), context),
  });

  serve(app, 'cancelImport', {
    handle: async ({ params: { account_id: accountId, import_id: id }, actor }) =>
      importView(await cancelImport(context, { accountId, id }, actor.author), context),
  });
}

/**
 * Cancels an import; see {@link cancelRun}. Applied rows stay. A job withdraws the requests that
 * still wait in the pipeline, and writes the file of failures.
 */
async function cancelImport(context: Context, key: LongRunKey, author: Author): Promise<ImportRow> {
  return cancelRun(context, importRuns, key, author, async (trx) => {
    const row = await endWithoutRun(trx, key, { status: 'cancelled', finished_at: context.now() });
    if (row !== undefined) context.metrics.imports.inc({ outcome: 'cancelled' });
    return row;
  });
}
