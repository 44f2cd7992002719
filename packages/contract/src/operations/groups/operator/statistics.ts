import { pageAnswer } from '../../../shapes/common/paging.ts';
import {
  ActivityStatistics,
  ActivityStatisticsQuery,
  ContactGrowth,
  ContactGrowthQuery,
  ListMessageActivitiesQuery,
  ListMessageStatisticsQuery,
  PipelineState,
  PipelineStateQuery,
  listedFailures,
} from '../../../shapes/service/statistics.ts';
import { operation } from '../../definition/operation.ts';

/** Numbers about contacts, activities and the pipeline. */
export const statisticsOperations = {
  getContactGrowth: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/statistics/contacts',
    permission: 'contacts:read',
    repeat: 'harmless',
    tag: 'Statistics',
    summary: 'Get the growth of contacts',
    description:
      'Returns how many contacts the account has now and at the end of each day, by type and by the channels that reach them, and how many were created, deleted, opted out and opted in on each day. A change belongs to the day when its request was accepted. An opt-out counts if the contact existed before. The numbers are exact.',
    query: ContactGrowthQuery,
    answer: ContactGrowth,
  }),

  getActivityStatistics: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/statistics/activities',
    permission: 'activity:read',
    repeat: 'harmless',
    tag: 'Statistics',
    summary: 'Get activity by day and channel',
    description:
      'Counts the stored activities by the day when they happened and by channel. Activities of deleted contacts, and those older than `activity_retention_months`, are not counted. The numbers are exact. Activities of a contact that was just deleted count until they are deleted, usually some seconds later.',
    query: ActivityStatisticsQuery,
    answer: ActivityStatistics,
  }),

  listMessageStatistics: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/statistics/messages',
    permission: 'activity:read',
    repeat: 'harmless',
    tag: 'Statistics',
    summary: 'List activity by message',
    description:
      'Counts the stored activities of each message in the period. The message with the largest number comes first. Activities without a `message_id` are left out.',
    query: ListMessageStatisticsQuery,
    answer: pageAnswer('MessageStatistics'),
  }),

  listMessageActivities: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/statistics/messages/{message_id}/activities',
    permission: 'activity:read',
    repeat: 'harmless',
    tag: 'Statistics',
    summary: 'List the people of a message',
    description:
      'Lists the contacts with one activity of a message, such as everyone who clicked, newest first. People who are not contacts are left out. Without the permission `unmasked`, identities are masked like the values of the primary key.',
    query: ListMessageActivitiesQuery,
    answer: pageAnswer('MessageActivity'),
  }),

  getPipelineState: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/statistics/pipeline',
    permission: 'account:read',
    repeat: 'harmless',
    tag: 'Statistics',
    summary: 'Get the state of the pipeline',
    description: `Returns how many requests of the account wait, which imports and exports run, and what failed since yesterday: for each kind its number and the newest ${listedFailures} with their causes. Kinds of failures need the permission of their list operation: \`requests:read\`, \`imports:read\`, \`exports:read\`, \`callbacks:read\`, \`mails:read\`.`,
    query: PipelineStateQuery,
    answer: PipelineState,
  }),
};
