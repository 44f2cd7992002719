import { CreateExportBody, ExportPreview, PreviewExportBody } from '../../shapes/exports/create-export.ts';
import {
  Export,
  ExportAcceptedAnswer,
  ExportAudienceBody,
  ExportReport,
  ListExportsQuery,
} from '../../shapes/service/exports.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation, type Examples } from '../definition/operation.ts';

/** Example bodies of export requests. An account with the list 1 accepts each of them. */
const exportExamples: Examples = {
  list: {
    summary: 'A list, with a callback',
    value: {
      audience_details: {
        audience_type: 'list',
        audience_id: 1,
        attributes_needed: ['EMAIL', 'FIRST_NAME', 'CITY'],
        blocklist_type: 'email',
      },
      file_type: 'csv',
      notify_email: 'asha@example.com',
      callback_details: {
        method: 'POST',
        endpoint: 'https://hooks.example.com/exports',
        header: [{ 'X-Token': 'secret' }],
        body: { job: 'nightly' },
      },
    },
  },
  shortest: {
    summary: 'No callback, default columns, compressed',
    value: {
      audience_details: { audience_type: 'list', audience_id: 1 },
      compression: 'gzip',
      callback_details: {},
    },
  },
};

const cityIsPune = [
  { condition_operator: 'and', condition_details: [{ field: 'CITY', operation: 'equals', value: ['Pune'] }] },
];

/** Example bodies of exports by operators. An account with the list 1 accepts each of them. */
const operatorExamples: Examples = {
  list: { summary: 'A list', value: { audience_type: 'list', audience_id: 1, attributes: ['EMAIL', 'CITY'] } },
  filter: {
    summary: 'A filter, without people who opted out of e-mail',
    value: { filter: { filtering_criteria: cityIsPune }, blocklist_type: 'email' },
  },
  all: { summary: 'All contacts', value: { filter: {} } },
};

/** Exports of contacts to files. */
export const exportOperations = {
  createExport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/exports',
    permission: 'export',
    repeat: 'unsafe',
    tag: 'Exports',
    summary: 'Create an export',
    description:
      'Writes the contacts of an audience, or those that match a filter, to a CSV file. The file has the form of **Export an audience**. The answer is the stored export. It runs in the background.',
    body: CreateExportBody,
    examples: operatorExamples,
    status: 201,
    answer: Export,
    errors: ['conflict', 'too_many_exports', 'storage_quota'],
  }),

  previewExport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/exports/preview',
    permission: 'export',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'Preview an export',
    description:
      'Returns the header and the first ten rows of the file that an export would write now. Nothing is stored.',
    body: PreviewExportBody,
    examples: operatorExamples,
    answer: ExportPreview,
    errors: ['too_many_searches', 'search_timeout'],
  }),

  listExports: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/exports',
    permission: 'exports:read',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'List exports',
    description:
      'Lists the exports of the account and their progress, newest first. Ended exports are kept for `ROSTER_EXPORT_RETENTION_DAYS` days after their file was deleted.',
    query: ListExportsQuery,
    answer: pageAnswer('Export'),
  }),

  getExport: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/exports/{request_id}',
    permission: 'exports:read',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'Get an export',
    description: 'Returns one export: its progress, its file, and the callback and the mail about it.',
    answer: Export,
  }),

  cancelExport: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/exports/{request_id}/cancel',
    permission: 'export',
    repeat: 'unsafe',
    tag: 'Exports',
    summary: 'Cancel an export',
    description:
      'Stops a waiting or running export and deletes its file. The callback and the mail report it as failed, because an operator cancelled it. Cancelling it again changes nothing.',
    answer: Export,
    errors: ['conflict'],
  }),

  exportAudience: operation({
    generation: 'v4',
    method: 'POST',
    path: '/v4/audience/export',
    permission: 'export',
    repeat: 'with-key',
    tag: 'Exports',
    summary: 'Export an audience',
    description:
      'Writes the contacts of a list or segment to a CSV file (RFC 4180, UTF-8). The file has a header row, then one row for each contact, ordered by `contact_id`. It is a consistent snapshot. A missing value is an empty cell. Blacklisted contacts are included unless `blocklist_type` leaves them out. Masked attributes are masked unless the API key has the scope `unmasked`.\n\nThe answer says that the export is stored. When the export has ended, the endpoint of `callback_details` is called and `notify_email` gets a mail. Both carry a signed URL of the file, which works for 7 days. You can leave out the content type.',
    body: ExportAudienceBody,
    examples: exportExamples,
    answer: ExportAcceptedAnswer,
    callback: {
      address: '{$request.body#/callback_details/endpoint}',
      description:
        'Sent once, when the export has ended. With the method `GET` there is no body. The fields are query parameters, and `callbackBody` is JSON.',
      body: ExportReport,
    },
    errors: ['too_many_exports', 'storage_quota'],
  }),
};
