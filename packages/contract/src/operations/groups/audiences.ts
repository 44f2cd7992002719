import {
  CreateListBody,
  CreateSegmentBody,
  List,
  ListListsQuery,
  ListSegmentChangesQuery,
  ListSegmentsQuery,
  Segment,
  SegmentCount,
  SegmentDetail,
  UpdateListBody,
  UpdateSegmentBody,
} from '../../shapes/contacts/audiences.ts';
import { ListGrowth, ListGrowthQuery } from '../../shapes/contacts/list-growth.ts';
import { SegmentGrowth, SegmentGrowthQuery } from '../../shapes/contacts/segment-growth.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

const exampleSegment = {
  name: 'Newsletter readers in Pune',
  filtering_criteria: [
    {
      condition_operator: 'and',
      condition_details: [
        { field: 'CITY', field_category: 'attribute', operation: 'equals', value: ['Pune'] },
        { field: 'list_id', field_category: 'audience', operation: 'equals', value: [1] },
      ],
    },
  ],
};

/** Lists and segments. */
export const audienceOperations = {
  createList: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/lists',
    permission: 'lists:write',
    repeat: 'unsafe',
    tag: 'Lists',
    summary: 'Create a list',
    description:
      'Creates an empty list. To add contacts, send its `audience_id` in contact create or update. An account can have up to 100,000 lists.',
    body: CreateListBody,
    examples: { simple: { summary: 'A newsletter', value: { name: 'Newsletter' } } },
    status: 201,
    answer: List,
    errors: ['conflict'],
  }),

  listLists: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/lists',
    permission: 'lists:read',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'List the lists',
    description: 'Returns the lists of the account, with their member counts and what uses them.',
    query: ListListsQuery,
    answer: pageAnswer('List'),
  }),

  getList: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}',
    permission: 'lists:read',
    repeat: 'harmless',
    entityTag: 'answer',
    tag: 'Lists',
    summary: 'Get a list',
    description:
      'Returns one list with its member count and what uses it. The count includes every request that was applied.',
    answer: List,
  }),

  getListGrowth: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}/growth',
    permission: 'lists:read',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'Get the growth of a list',
    description:
      'Returns how many contacts joined and left the list on each day, and how many members it had at the end of the day. The numbers are exact. They are counted in the same transaction that changes the contacts.',
    query: ListGrowthQuery,
    answer: ListGrowth,
  }),

  updateList: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}',
    permission: 'lists:write',
    repeat: 'harmless',
    entityTag: 'change',
    tag: 'Lists',
    summary: 'Rename a list',
    description: 'Changes the fields that you send.',
    body: UpdateListBody,
    examples: { name: { summary: 'Another name', value: { name: 'Newsletter 2026' } } },
    answer: List,
  }),

  deleteList: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}',
    permission: 'lists:write',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'Delete a list',
    description:
      'Deletes a list. Its contacts stay. The list is gone at once, and the memberships are removed in the background. Its number is never used again. If a segment uses the list, the answer is 409.',
    status: 204,
    errors: ['conflict'],
  }),

  createSegment: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/segments',
    permission: 'segments:write',
    repeat: 'unsafe',
    tag: 'Segments',
    summary: 'Create a segment',
    description:
      'Saves a filter of contact search. The filter is checked now: the attributes, lists and segments that it names must exist. It is evaluated each time it is used. A segment can use other segments, up to 5 deep, and not itself. An empty filter matches all contacts. An account can have up to 10,000 segments.',
    body: CreateSegmentBody,
    examples: { attribute: { summary: 'By attribute and list', value: exampleSegment } },
    status: 201,
    answer: Segment,
    errors: ['conflict'],
  }),

  listSegments: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments',
    permission: 'segments:read',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'List the segments',
    description: 'Returns the segments of the account, with their filters and what uses them.',
    query: ListSegmentsQuery,
    answer: pageAnswer('Segment'),
  }),

  getSegment: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}',
    permission: 'segments:read',
    repeat: 'harmless',
    entityTag: 'answer',
    tag: 'Segments',
    summary: 'Get a segment',
    description:
      'Returns one segment with its filter and the number of its contacts. The filter shows the current names of the attributes.',
    answer: SegmentDetail,
  }),

  countSegment: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}/count',
    permission: 'segments:read',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Count a segment',
    description: 'Evaluates the segment and returns the exact number of its contacts.',
    answer: SegmentCount,
    errors: ['conflict', 'too_many_searches', 'search_timeout'],
  }),

  getSegmentGrowth: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}/growth',
    permission: 'segments:read',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Get the growth of a segment',
    description:
      'Returns how many contacts matched the segment on each day. A worker counts each segment once a day, soon after the day has begun in the time zone of the account. Days without a count are left out: those before the segment existed, and those on which no worker ran or the count took too long.',
    query: SegmentGrowthQuery,
    answer: SegmentGrowth,
  }),

  listSegmentChanges: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}/changes',
    permission: 'segments:read',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'List entries and departures',
    description:
      'Returns the contacts that entered and left a live segment, newest first. They are kept as long as events (`event_retention_days`). If the segment is not live, the answer is 409.',
    query: ListSegmentChangesQuery,
    answer: pageAnswer('SegmentChange'),
    errors: ['conflict'],
  }),

  updateSegment: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}',
    permission: 'segments:write',
    repeat: 'harmless',
    entityTag: 'change',
    tag: 'Segments',
    summary: 'Change a segment',
    description:
      'Changes the fields that you send. `filtering_criteria` replaces the old filter as a whole, including its operator. A change that would nest segments more than 5 deep is refused.',
    body: UpdateSegmentBody,
    examples: { name: { summary: 'Another name', value: { name: 'Adults in Pune or Mumbai' } } },
    answer: Segment,
    errors: ['conflict'],
  }),

  deleteSegment: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}',
    permission: 'segments:write',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Delete a segment',
    description: 'Deletes a segment. Its number is never used again. If another segment uses it, the answer is 409.',
    status: 204,
    errors: ['conflict'],
  }),
};
