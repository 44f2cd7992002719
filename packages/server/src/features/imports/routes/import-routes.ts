import { CreateImportBody, Import, ListImportsQuery, pageAnswer } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import type { Service } from '#platform/http/server/service.ts';
import { newestPageOf } from '#platform/http/paging/uuid-position.ts';
import { cancelImport, requireImport } from './cancel-import.ts';
import { createImport, findUnknownLists } from './create-import.ts';
import { importExamples } from './examples.ts';
import { listImports } from '../store/import-store.ts';
import { importView } from '../store/import-view.ts';

/** Where imports stand in the description. */
export const importTag = 'Imports';

/** The parameters of the path of an import. */
export const importParams = Type.Object({
  ...accountParams.properties,
  import_id: Type.String({ format: 'uuid' }),
});

/** Imports of files, beside the files themselves (decisions §9, docs/imports.md). */
export function importRoutes(app: FastifyInstance, { context }: Service): void {
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/imports',
    operationId: 'createImport',
    tag: importTag,
    summary: 'Create an import',
    description: [
      'Says what is to be done with a file that is sent next, with **Send the file of an import**. Everything has a default: columns are found by their names, and each row creates a contact or is merged into the one that has its identity, as in contact create.',
      'Unknown keys of the body are refused.',
    ].join('\n\n'),
    params: accountParams,
    body: CreateImportBody,
    examples: importExamples,
    status: 201,
    answer: Import,
    findMore: async ({ params: { account_id }, body }, faults) =>
      findUnknownLists(context, account_id, body.audience_ids ?? [], faults),
    handle: async ({ params: { account_id }, body }) =>
      importView(await createImport(context, account_id, body), context),
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/imports',
    operationId: 'listImports',
    tag: importTag,
    summary: 'List imports',
    description: 'Lists the imports of the account, newest first, with how far each is.',
    params: accountParams,
    query: ListImportsQuery,
    answer: pageAnswer('Import'),
    async handle({ params: { account_id }, query }) {
      await requireAccount(context.db, account_id);
      return newestPageOf(query, {
        load: (before, limit) => listImports(context.db, account_id, { status: query.status, before }, limit),
        idOf: (row) => row.import_id,
        view: (row) => importView(row, context),
      });
    },
  });

  serveAdmin(app, {
    method: 'GET',
    path: '/accounts/:account_id/imports/:import_id',
    operationId: 'getImport',
    tag: importTag,
    summary: 'Get an import',
    description: 'Answers one import: what its columns mean, how far it is, and what became of its rows so far.',
    params: importParams,
    answer: Import,
    handle: async ({ params: { account_id: accountId, import_id: importId } }) =>
      importView(await requireImport(context.db, { accountId, importId }), context),
  });

  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/imports/:import_id/cancel',
    operationId: 'cancelImport',
    tag: importTag,
    summary: 'Cancel an import',
    description:
      'Stops an import that has not ended, in whatever process. Rows that were applied stay; those that wait in the pipeline are withdrawn (`withdrawn`). The counts and the file of failures are complete some moments later. Cancelling it again changes nothing.',
    params: importParams,
    answer: Import,
    errors: ['conflict'],
    handle: async ({ params: { account_id: accountId, import_id: importId } }) =>
      importView(await cancelImport(context, { accountId, importId }), context),
  });
}
