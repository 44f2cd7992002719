import { CreateImportBody, Import, importLimits, ListImportsQuery } from '../../shapes/service/imports.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation, type Examples } from '../definition/operation.ts';

/** Example bodies of new imports. An account with the list 1 accepts each of them. */
const importExamples: Examples = {
  list: {
    summary: 'Add contacts to a list',
    value: { file_name: 'customers.csv', audience_ids: [1] },
  },
  mapped: {
    summary: 'Name the columns, and do a dry run',
    value: {
      file_name: 'crm.csv',
      mode: 'update',
      blank_cells: 'clear',
      columns: { 'E-mail address': 'EMAIL', Remarks: null },
      unknown_columns: 'create',
      dry_run: true,
    },
  },
  fetched: {
    summary: 'Fetch the file, and send a mail at the end',
    value: {
      source_url: 'https://files.example.com/customers.csv',
      unknown_columns: 'skip',
      notify_email: 'asha@example.com',
    },
  },
  shortest: { summary: 'Detect everything', value: {} },
};

/** Imports of files. */
export const importOperations = {
  createImport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/imports',
    permission: 'imports:write',
    repeat: 'unsafe',
    tag: 'Imports',
    summary: 'Create an import',
    description: [
      'Prepares an import. Then send the file with **Send the file of an import**. With `source_url`, Roster fetches the file instead. Every field has a default. By default, columns are found by their names. Each row creates a contact, or is merged into the contact with the same identity.',
      `Unknown keys of the body are refused. An account can have up to ${importLimits.unfinished} unfinished imports.`,
    ].join('\n\n'),
    body: CreateImportBody,
    examples: importExamples,
    status: 201,
    answer: Import,
    errors: ['conflict'],
  }),

  listImports: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports',
    permission: 'imports:read',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'List imports',
    description: 'Lists the imports of the account and their progress, newest first.',
    query: ListImportsQuery,
    answer: pageAnswer('Import'),
  }),

  getImport: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}',
    permission: 'imports:read',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Get an import',
    description: 'Returns one import: the meaning of its columns, its progress, and the counts of its rows so far.',
    answer: Import,
  }),

  cancelImport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/imports/{import_id}/cancel',
    permission: 'imports:write',
    repeat: 'harmless',
    tag: 'Imports',
    summary: 'Cancel an import',
    description:
      'Stops an import that has not ended. Rows that were applied stay. Rows that are waiting to be applied fail with `withdrawn`. The counts and the file of failures are complete a few moments later. Cancelling it again changes nothing.',
    answer: Import,
    errors: ['conflict'],
  }),
};
