import { pageAnswer } from '../../shapes/common/paging.ts';
import { failuresPerAnswer, GetRequestQuery, ListRequestsQuery, RequestDetail } from '../../shapes/service/requests.ts';
import { operation } from '../definition/operation.ts';

/** Accepted requests, and what became of them. */
export const requestOperations = {
  listRequests: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/requests',
    repeat: 'harmless',
    tag: 'Requests',
    summary: 'List requests',
    description:
      'Lists the accepted requests of the account, newest first. `outcome=failed` finds those of which items failed. Finished requests stay for `ROSTER_REQUEST_RETENTION_DAYS`.',
    query: ListRequestsQuery,
    answer: pageAnswer('RequestSummary'),
  }),

  getRequest: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/requests/{request_id}',
    repeat: 'harmless',
    tag: 'Requests',
    summary: 'Get a request',
    description: `Answers what became of one request, with its first ${failuresPerAnswer} failures; \`failures_cursor\` goes on after them.`,
    query: GetRequestQuery,
    answer: RequestDetail,
  }),
};
