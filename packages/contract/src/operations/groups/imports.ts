import { CreateImportBody, Import, ListImportsQuery } from '../../shapes/service/imports.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation, type Examples } from '../definition/operation.ts';

/** Bodies of new imports for the documentation; each is accepted by an account with the list 1. */
const importExamples: Examples = {
  list: {
    summary: 'Contacts into a list',
    value: { file_name: 'customers.csv', audience_ids: [1] },
  },
  mapped: {
    summary: 'Columns by hand, and a rehearsal first',
    value: {
      file_name: 'crm.csv',
      mode: 'update',
      blank_cells: 'clear',
      columns: { 'E-mail address': 'EMAIL', Remarks: null },
      unknown_columns: 'create',
      dry_run: true,
    },
  },
  shortest: { summary: 'Everything found by itself', value: {} },
};

/** Imports of files. */
export const importOperations = {
  createImport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/imports',
    repeat: 'unsafe',
    tag: 'Imports',
    summary: 'Create an import',
    description: [
      'Says what is to be done with a file that is sent next, with **Send the file of an import**. Everything has a default: columns are found by their names, and each row creates a contact or is merged into the one that has its identity, as in contact create.',
      'Unknown keys of the body are refused.',
    ].join('\n\n'),
    body: CreateImportBody,
    examples: importExamples,
    status: 201,
    answer: Import,
  }),

  listImports: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'List imports',
    description: 'Lists the imports of the account, newest first, with how far each is.',
    query: ListImportsQuery,
    answer: pageAnswer('Import'),
  }),

  getImport: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Get an import',
    description: 'Answers one import: what its columns mean, how far it is, and what became of its rows so far.',
    answer: Import,
  }),

  cancelImport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/cancel',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Cancel an import',
    description:
      'Stops an import that has not ended, in whatever process. Rows that were applied stay; those that wait in the pipeline are withdrawn (`withdrawn`). The counts and the file of failures are complete some moments later. Cancelling it again changes nothing.',
    answer: Import,
    errors: ['conflict'],
  }),
};
