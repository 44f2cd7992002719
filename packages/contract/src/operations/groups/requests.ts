import { pageAnswer } from '../../shapes/common/paging.ts';
import {
  failuresPerAnswer,
  GetRequestAnswer,
  GetRequestQuery,
  ListRequestsQuery,
  RequestDetail,
} from '../../shapes/service/requests.ts';
import { operation } from '../definition/operation.ts';

/** Accepted requests and their outcomes. */
export const requestOperations = {
  listRequests: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/requests',
    permission: 'requests:read',
    repeat: 'harmless',
    tag: 'Requests',
    summary: 'List requests',
    description:
      'Lists the accepted requests of the account, newest first. `outcome=failed` finds the requests with failed items. Finished requests are kept for `ROSTER_REQUEST_RETENTION_DAYS` days.',
    query: ListRequestsQuery,
    answer: pageAnswer('RequestSummary'),
  }),

  getRequest: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/requests/{request_id}',
    permission: 'requests:read',
    repeat: 'harmless',
    tag: 'Requests',
    summary: 'Get a request',
    description: `Returns the outcome of one request, with its first ${failuresPerAnswer} failures. Send \`failures_next_cursor\` as \`failures_cursor\` to get the next ones. \`failure_codes\` counts all failures by their code.`,
    query: GetRequestQuery,
    answer: RequestDetail,
    waits: true,
  }),

  getAcceptedRequest: operation({
    generation: 'v5',
    method: 'GET',
    path: '/v5/requests/{request_id}',
    permission: 'requests:read',
    operatorCounterpart: 'getRequest',
    repeat: 'harmless',
    tag: 'Requests',
    summary: 'Get a request with an API key',
    description: `Returns the outcome of one request of the account, with its first ${failuresPerAnswer} failures. Send \`failures_next_cursor\` as \`failures_cursor\` to get the next ones. With \`Prefer: wait=N\`, it answers as soon as the request is applied, at the latest after N seconds.`,
    query: GetRequestQuery,
    answer: GetRequestAnswer,
    waits: true,
  }),
};
