import { ListAudiencesAnswer, ListAudiencesBody } from '../../../shapes/older/audience-list.ts';
import { operation } from '../../definition/operation.ts';

/** The older call that lists lists and segments. */
export const audienceListOperations = {
  listAudiences: operation({
    generation: 'v4',
    method: 'POST',
    path: '/v4/audience/list',
    otherPath: '/v4/list',
    permission: 'lists:read',
    alternativePermission: 'segments:read',
    repeat: 'harmless',
    tag: 'Older calls',
    summary: 'List audiences',
    description:
      'Returns the lists or the segments of the account, page by page, with the numbers of their contacts. Lists need the scope `lists:read`, and segments `segments:read`. Also served at `/v4/list`.\n\nThe number of a list is exact. So is that of a live segment that follows. Any other segment has the number of its last daily count, and `last_refreshed_date` says when that was. A segment that was not counted yet is counted for the answer, which may take 5 seconds in total.\n\nNew programs should use **List the lists** and **List the segments**, which also take an API key. You can leave out the content type.',
    body: ListAudiencesBody,
    examples: {
      lists: { summary: 'The first lists', value: { audience_type: 'list' } },
      changed: {
        summary: 'Segments that changed in January, the latest first',
        value: {
          audience_type: 'segment',
          page_details: { page_no: 1, page_size: 50 },
          sorting_criteria: { sort_by: 'updated_date', sort_order: 'desc' },
          filtering_criteria: {
            audience_ids: [1, 2, 3],
            last_updated_date_range: { condition: 'between', value: ['2026-01-01', '2026-01-31'] },
          },
        },
      },
    },
    answer: ListAudiencesAnswer,
  }),
};
