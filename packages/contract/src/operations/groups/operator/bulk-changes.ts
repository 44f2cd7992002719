import {
  BulkChange,
  bulkChangeLimits,
  CreateBulkChangeBody,
  ListBulkChangesQuery,
} from '../../../shapes/service/bulk-changes.ts';
import { PageQuery, pageAnswer } from '../../../shapes/common/paging.ts';
import { operation, type Examples } from '../../definition/operation.ts';

const examples: Examples = {
  list: {
    summary: 'Add all contacts of a state to a list',
    value: {
      filtering_criteria: [{ condition_details: [{ field: 'STATE', operation: 'equals', value: ['Goa'] }] }],
      action: { type: 'add_to_list', audience_id: 1 },
      expected_count: 0,
    },
  },
  attribute: {
    summary: 'Set an attribute of three contacts',
    value: {
      contact_ids: [1, 2, 3],
      action: { type: 'set_attribute', attribute: 'CITY', value: 'Pune' },
      expected_count: 3,
    },
  },
  optOut: {
    summary: 'Opt out two contacts',
    value: { contact_ids: [4, 5], action: { type: 'opt_out', channels: ['email'] }, expected_count: 2 },
  },
};

/** Changes of many contacts at once. */
export const bulkChangeOperations = {
  createBulkChange: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/bulk-changes',
    permission: 'contacts:write',
    alternativePermission: 'privacy:write',
    repeat: 'unsafe',
    tag: 'Bulk changes',
    summary: 'Create a bulk change',
    description: [
      'Changes every contact that matches a filter, is in an audience, or is in `contact_ids`. Filter and audience have the same form as in a search, and both can be sent together. Without any of them, `all_contacts` must be true.',
      'Count the contacts first, with a search and `get_count`. Show the number to a person, and send it as `expected_count`. If the number has changed, nothing happens, and the answer is 409 with the current number.',
      'A worker chooses the contacts once, at the start. Contacts that stop matching later, for example because of the change itself, are still changed. Contacts that begin to match later are not. The changes then go through the pipeline, in order with other requests, in small parts that do not delay them.',
      '`erase` needs the permission `privacy:write` instead of `contacts:write`, and takes up to 10,000 contacts.',
      `An account can have up to ${bulkChangeLimits.unfinished} unfinished bulk changes.`,
    ].join('\n\n'),
    body: CreateBulkChangeBody,
    examples,
    status: 201,
    answer: BulkChange,
    errors: ['conflict', 'bulk_count_changed', 'bulk_too_many_erasures', 'too_many_searches', 'search_timeout'],
  }),

  listBulkChanges: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/bulk-changes',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Bulk changes',
    summary: 'List bulk changes',
    description: 'Lists the bulk changes of the account and their progress, newest first.',
    query: ListBulkChangesQuery,
    answer: pageAnswer('BulkChange'),
  }),

  getBulkChange: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/bulk-changes/{bulk_change_id}',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Bulk changes',
    summary: 'Get a bulk change',
    description: 'Returns one bulk change: its action, progress and counts.',
    answer: BulkChange,
  }),

  cancelBulkChange: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/bulk-changes/{bulk_change_id}/cancel',
    permission: 'contacts:write',
    alternativePermission: 'privacy:write',
    repeat: 'harmless',
    tag: 'Bulk changes',
    summary: 'Cancel a bulk change',
    description:
      'Stops a bulk change that has not ended. It needs the same permission as creating the change. Contacts that were changed stay changed. Contacts that wait in the pipeline fail with `withdrawn`. The counts are complete a few moments later. Cancelling it again changes nothing.',
    answer: BulkChange,
    errors: ['conflict'],
  }),

  listBulkChangeFailures: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/bulk-changes/{bulk_change_id}/failures',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Bulk changes',
    summary: 'List the failures of a bulk change',
    description: 'Lists the contacts that failed, or of which a part was left out, ordered by `contact_id`.',
    query: PageQuery,
    answer: pageAnswer('BulkChangeFailure'),
  }),
};
