import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { listRows, type ListOptions } from '../transport/list-rows.ts';
import type { CreateExportScheduleBody, UpdateExportScheduleBody } from '../wire/shapes.ts';

/** Options of a change. */
export interface ChangeOptions extends CallOptions {
  /**
   * The `version` that the change is made to. The change fails with status 412 if there is a newer
   * version. Default: the change is made to any version.
   */
  readonly version?: number | undefined;
}

/** Returns the value of `If-Match` for a version. */
export function tagOf(version: number | undefined): string | undefined {
  return version === undefined ? undefined : `"${version}"`;
}

/** Creates the operations on the export schedules of an account. */
export function createExportSchedules(account: AccountConnection) {
  const pathOf = (scheduleId: string) => ({ schedule_id: scheduleId });
  return {
    list: (options?: ListOptions) => listRows(account, 'listExportSchedules', options),
    get: (scheduleId: string, options?: CallOptions) =>
      account.call('getExportSchedule', { ...options, path: pathOf(scheduleId) }),
    create: (schedule: CreateExportScheduleBody, options?: CallOptions) =>
      account.call('createExportSchedule', { ...options, body: schedule }),
    /** Changes a schedule. Absent fields stay as they are. */
    update: (scheduleId: string, change: UpdateExportScheduleBody, { version, ...options }: ChangeOptions = {}) => {
      const input = { ...options, path: pathOf(scheduleId), ifMatch: tagOf(version) };
      return account.call('updateExportSchedule', { ...input, body: change });
    },
    delete: (scheduleId: string, options?: CallOptions) =>
      account.call('deleteExportSchedule', { ...options, path: pathOf(scheduleId) }),
    /** Starts a run now. Its `request_id` is the export. */
    run: (scheduleId: string, options?: CallOptions) =>
      account.call('runExportSchedule', { ...options, path: pathOf(scheduleId) }),
    /** The runs of a schedule, newest first. */
    runs: (scheduleId: string, options?: ListOptions) =>
      listRows(account, 'listExportScheduleRuns', options, pathOf(scheduleId)),
  };
}
