import type { AccountConnection, CallOptions } from './transport/connection.ts';
import { listRows, type ListOptions } from './transport/list-rows.ts';
import type {
  ActivityStatisticsQuery,
  ContactGrowthQuery,
  ListMessageActivitiesQuery,
  ListMessageStatisticsQuery,
  PipelineStateQuery,
} from './wire/shapes.ts';

/** Options of a call that only reads. */
export type ReadOptions = Pick<CallOptions, 'signal'>;

/** Creates the operations that return numbers about one account. */
export function createStatistics(account: AccountConnection) {
  return {
    /** Returns the contacts now, and what happened to them on each day. */
    contacts: ({ signal, ...query }: ReadOptions & ContactGrowthQuery = {}) =>
      account.call('getContactGrowth', { signal, query }),

    /** Returns the activities by day and channel. */
    activities: ({ signal, ...query }: ReadOptions & ActivityStatisticsQuery = {}) =>
      account.call('getActivityStatistics', { signal, query }),

    /** Lists the messages with the numbers of their activities. */
    messages: (options?: ListOptions<ListMessageStatisticsQuery>) =>
      listRows(account, 'listMessageStatistics', options),

    /** Lists the contacts with one activity of a message. */
    people: (messageId: number, options: ListOptions<ListMessageActivitiesQuery>) =>
      listRows(account, 'listMessageActivities', options, { message_id: messageId }),

    /** Returns what waits, what runs and what failed. */
    pipeline: ({ signal, ...query }: ReadOptions & PipelineStateQuery = {}) =>
      account.call('getPipelineState', { signal, query }),
  };
}
