import { PageQuery, pageAnswer } from '../../../shapes/common/paging.ts';
import {
  CreateExportScheduleBody,
  ExportSchedule,
  ExportScheduleRun,
  UpdateExportScheduleBody,
} from '../../../shapes/exports/export-schedules.ts';
import { operation } from '../../definition/operation.ts';

const path = '/admin/v1/accounts/{account_id}/export-schedules';

/** Exports at regular times. */
export const exportScheduleOperations = {
  createExportSchedule: operation({
    generation: 'operator',
    method: 'POST',
    path,
    permission: 'export',
    entityTag: 'answer',
    repeat: 'unsafe',
    tag: 'Exports',
    summary: 'Create an export schedule',
    description:
      'Stores an export that runs at regular times in the time zone of the account. Each due time has one run. If the run before is still going, the run is skipped. If no worker was running at some due times, one run replaces them. A run fails if the person or the API key that changed the schedule last may no longer export its values. After five failures in a row the schedule is disabled.',
    body: CreateExportScheduleBody,
    examples: {
      daily: {
        summary: 'A list, every morning',
        value: {
          name: 'Newsletter, every morning',
          audience_type: 'list',
          audience_id: 1,
          attributes: ['EMAIL', 'CITY'],
          timing: { every: 'day', at: '06:30' },
        },
      },
      monthly: {
        summary: 'All contacts, on the last day of the month, to S3',
        value: {
          name: 'Month end',
          filter: {},
          compression: 'gzip',
          timing: { every: 'month', day: 31, at: '23:00' },
          place: {
            endpoint: 'https://s3.eu-central-1.amazonaws.com',
            region: 'eu-central-1',
            bucket: 'customer-exports',
            prefix: 'roster/',
            key_id: 'AKIAEXAMPLE',
            secret: 'secret',
          },
        },
      },
    },
    status: 201,
    answer: ExportSchedule,
    errors: ['conflict'],
  }),

  listExportSchedules: operation({
    generation: 'operator',
    method: 'GET',
    path,
    permission: 'exports:read',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'List export schedules',
    description: 'Returns the export schedules of the account with their last and next runs, newest first.',
    query: PageQuery,
    answer: pageAnswer('ExportSchedule'),
  }),

  getExportSchedule: operation({
    generation: 'operator',
    method: 'GET',
    path: `${path}/{schedule_id}`,
    permission: 'exports:read',
    entityTag: 'answer',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'Get an export schedule',
    description: 'Returns one schedule. The header `ETag` has its version.',
    answer: ExportSchedule,
  }),

  updateExportSchedule: operation({
    generation: 'operator',
    method: 'PATCH',
    path: `${path}/{schedule_id}`,
    permission: 'export',
    entityTag: 'change',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'Change an export schedule',
    description:
      'Changes the fields that you send, and enables a disabled schedule. You become its author: its runs need your rights. With the header `If-Match`, the change is refused with 412 if somebody else changed the schedule in the meantime. An export that runs is not affected.',
    body: UpdateExportScheduleBody,
    examples: {
      pause: { summary: 'Pause', value: { paused: true } },
      weekly: {
        summary: 'Another time',
        value: { timing: { every: 'week', weekdays: ['monday', 'thursday'], at: '07:00' } },
      },
    },
    answer: ExportSchedule,
    errors: ['conflict'],
  }),

  deleteExportSchedule: operation({
    generation: 'operator',
    method: 'DELETE',
    path: `${path}/{schedule_id}`,
    permission: 'export',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'Delete an export schedule',
    description:
      'Deletes a schedule and its history. Its exports stay, and their files are deleted after 7 days. An export that runs continues.',
    status: 204,
  }),

  runExportSchedule: operation({
    generation: 'operator',
    method: 'POST',
    path: `${path}/{schedule_id}/run`,
    permission: 'export',
    repeat: 'unsafe',
    tag: 'Exports',
    summary: 'Run an export schedule now',
    description:
      'Starts one run now. The regular times stay as they are. While a run is going, or if the author of the schedule may no longer export its values, the answer is 409. A paused or disabled schedule can be run, too.',
    answer: ExportScheduleRun,
    errors: ['conflict', 'too_many_exports', 'storage_quota'],
  }),

  listExportScheduleRuns: operation({
    generation: 'operator',
    method: 'GET',
    path: `${path}/{schedule_id}/runs`,
    permission: 'exports:read',
    repeat: 'harmless',
    tag: 'Exports',
    summary: 'List the runs of an export schedule',
    description: 'Returns the runs of a schedule, newest first. They are kept for 400 days.',
    query: PageQuery,
    answer: pageAnswer('ExportScheduleRun'),
  }),
};
