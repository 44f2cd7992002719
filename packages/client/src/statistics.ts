import type { Connection } from './transport/connection.ts';
import { Listing, type Page } from './wire/listing.ts';
import type {
  ActivityStatistics,
  ActivityStatisticsQuery,
  ContactGrowth,
  ContactGrowthQuery,
  ListMessageActivitiesQuery,
  ListMessageStatisticsQuery,
  MessageActivity,
  MessageStatistics,
  PipelineState,
  PipelineStateQuery,
} from './wire/shapes.ts';

/** Options of a call that only reads. */
export interface ReadOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Creates the operations that return numbers about one account. */
export function createStatistics(connection: Connection, accountId: number) {
  const account = { account_id: accountId };
  return {
    /** Returns the contacts now, and what happened to them on each day. */
    contacts: ({ signal, ...query }: ReadOptions & ContactGrowthQuery = {}): Promise<ContactGrowth> =>
      connection.call('getContactGrowth', { signal, path: account, query }),

    /** Returns the activities by day and channel. */
    activities: ({ signal, ...query }: ReadOptions & ActivityStatisticsQuery = {}): Promise<ActivityStatistics> =>
      connection.call('getActivityStatistics', { signal, path: account, query }),

    /** Lists the messages with the numbers of their activities. */
    messages: ({ signal, ...query }: ReadOptions & Omit<ListMessageStatisticsQuery, 'cursor'> = {}) =>
      new Listing<MessageStatistics, Page<MessageStatistics>>((cursor) =>
        connection.call('listMessageStatistics', {
          signal,
          path: account,
          query: { ...query, ...(cursor && { cursor }) },
        }),
      ),

    /** Lists the contacts with one activity of a message. */
    people: (messageId: number, { signal, ...query }: ReadOptions & Omit<ListMessageActivitiesQuery, 'cursor'>) =>
      new Listing<MessageActivity, Page<MessageActivity>>((cursor) =>
        connection.call('listMessageActivities', {
          signal,
          path: { ...account, message_id: messageId },
          query: { ...query, ...(cursor && { cursor }) },
        }),
      ),

    /** Returns what waits, what runs and what failed. */
    pipeline: ({ signal, ...query }: ReadOptions & PipelineStateQuery = {}): Promise<PipelineState> =>
      connection.call('getPipelineState', { signal, path: account, query }),
  };
}
