import { RunningAnswer } from '../../../shapes/console/running-work.ts';
import { operation } from '../../definition/operation.ts';

/** What runs now in an account. */
export const runningWorkOperations = {
  listRunning: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/running',
    permission: 'account:read',
    repeat: 'harmless',
    tag: 'Running work',
    summary: 'List the running work',
    description:
      'Returns the imports, exports, bulk changes, erasures and attribute indexes that wait, run, or ended in the last five minutes. The answer has only what the caller may see.',
    answer: RunningAnswer,
  }),

  streamRunning: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/events',
    permission: 'account:read',
    repeat: 'harmless',
    tag: 'Running work',
    summary: 'Follow the running work',
    description:
      'Sends server-sent events. The event `running` has the answer of **List the running work** as JSON. It is sent at the start and after each change, at most once a second. A comment every 15 seconds keeps the connection open. The stream ends when the caller loses the right to it. Each event is complete, so a client that connects again needs no `Last-Event-ID`.',
    answerBodies: {
      'text/event-stream': {
        schema: { type: 'string' },
        example: 'event: running\nid: 1\ndata: {"data":[]}\n\n',
      },
    },
    errors: ['too_many_event_streams'],
  }),
};
