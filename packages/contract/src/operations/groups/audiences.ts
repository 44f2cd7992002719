import {
  CreateListBody,
  CreateSegmentBody,
  List,
  Segment,
  SegmentCount,
  SegmentDetail,
  UpdateListBody,
  UpdateSegmentBody,
} from '../../shapes/contacts/audiences.ts';
import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
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
    repeat: 'unsafe',
    tag: 'Lists',
    summary: 'Create a list',
    description: 'Creates an empty list. Contacts are added by its `audience_id` in contact create and update.',
    body: CreateListBody,
    examples: { simple: { summary: 'A newsletter', value: { name: 'Newsletter' } } },
    status: 201,
    answer: List,
  }),

  listLists: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/lists',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'List the lists',
    description: 'Lists the lists of the account in order of their numbers, with their member counts.',
    query: PageQuery,
    answer: pageAnswer('List'),
  }),

  getList: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'Get a list',
    description: 'Answers one list with its member count, which is exact as of the last request that was applied.',
    answer: List,
  }),

  updateList: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'Rename a list',
    description: 'Changes the given fields.',
    body: UpdateListBody,
    examples: { name: { summary: 'Another name', value: { name: 'Newsletter 2026' } } },
    answer: List,
  }),

  deleteList: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/lists/{audience_id}',
    repeat: 'harmless',
    tag: 'Lists',
    summary: 'Delete a list',
    description:
      'Deletes a list. It is gone at once; its number is taken out of the contacts in the background and is not given again. The contacts stay. A list that a segment uses is refused.',
    status: 204,
    errors: ['conflict'],
  }),

  createSegment: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/segments',
    repeat: 'unsafe',
    tag: 'Segments',
    summary: 'Create a segment',
    description:
      'Saves a filter of contact search under a number. It is checked now and evaluated when it is used: attributes, lists and segments that it names must exist. A segment may use other segments, at most 5 deep and not itself. An empty filter has all contacts.',
    body: CreateSegmentBody,
    examples: { attribute: { summary: 'By attribute and list', value: exampleSegment } },
    status: 201,
    answer: Segment,
  }),

  listSegments: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'List the segments',
    description: 'Lists the segments of the account in order of their numbers, with their filters.',
    query: PageQuery,
    answer: pageAnswer('Segment'),
  }),

  getSegment: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Get a segment',
    description:
      'Answers one segment with its filter, in which attributes have the names that they have now, and the number of its contacts.',
    answer: SegmentDetail,
  }),

  countSegment: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}/count',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Count a segment',
    description: 'Evaluates the segment and answers the exact number of contacts in it.',
    answer: SegmentCount,
    errors: ['conflict', 'too_many_searches', 'search_timeout'],
  }),

  updateSegment: operation({
    generation: 'operator',
    method: 'PATCH',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Change a segment',
    description:
      'Changes the given fields. `filtering_criteria` replaces the old filter as a whole, its operator included. A change that would nest the segments that use this one more than 5 deep is refused.',
    body: UpdateSegmentBody,
    examples: { name: { summary: 'Another name', value: { name: 'Adults in Pune or Mumbai' } } },
    answer: Segment,
    errors: ['conflict'],
  }),

  deleteSegment: operation({
    generation: 'operator',
    method: 'DELETE',
    path: '/admin/v1/accounts/{account_id}/segments/{audience_id}',
    repeat: 'harmless',
    tag: 'Segments',
    summary: 'Delete a segment',
    description: 'Deletes a segment; its number is not given again. A segment that another one uses is refused.',
    status: 204,
    errors: ['conflict'],
  }),
};
