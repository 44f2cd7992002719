import type { CallOptions, Connection } from '../transport/connection.ts';
import { Listing, type Page } from '../wire/listing.ts';
import type {
  CreateExportScheduleBody,
  ExportSchedule,
  ExportScheduleRun,
  PageQuery,
  UpdateExportScheduleBody,
} from '../wire/shapes.ts';

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
export function createExportSchedules(connection: Connection, account: { readonly account_id: number }) {
  const pathOf = (scheduleId: string) => ({ ...account, schedule_id: scheduleId });
  return {
    list: ({ signal, ...query }: Pick<CallOptions, 'signal'> & Omit<PageQuery, 'cursor'> = {}): Listing<
      ExportSchedule,
      Page<ExportSchedule>
    > =>
      new Listing((cursor) =>
        connection.call('listExportSchedules', {
          path: account,
          query: { ...query, ...(cursor && { cursor }) },
          signal,
        }),
      ),
    get: (scheduleId: string, options: CallOptions = {}): Promise<ExportSchedule> =>
      connection.call('getExportSchedule', { ...options, path: pathOf(scheduleId) }),
    create: (schedule: CreateExportScheduleBody, options: CallOptions = {}): Promise<ExportSchedule> =>
      connection.call('createExportSchedule', { ...options, path: account, body: schedule }),
    /** Changes a schedule. Absent fields stay as they are. */
    update: (
      scheduleId: string,
      change: UpdateExportScheduleBody,
      { version, ...options }: ChangeOptions = {},
    ): Promise<ExportSchedule> =>
      connection.call('updateExportSchedule', {
        ...options,
        path: pathOf(scheduleId),
        body: change,
        ifMatch: tagOf(version),
      }),
    delete: (scheduleId: string, options: CallOptions = {}): Promise<void> =>
      connection.call('deleteExportSchedule', { ...options, path: pathOf(scheduleId) }),
    /** Starts a run now. Its `request_id` is the export. */
    run: (scheduleId: string, options: CallOptions = {}): Promise<ExportScheduleRun> =>
      connection.call('runExportSchedule', { ...options, path: pathOf(scheduleId) }),
    /** The runs of a schedule, newest first. */
    runs: (
      scheduleId: string,
      { signal, ...query }: Pick<CallOptions, 'signal'> & Omit<PageQuery, 'cursor'> = {},
    ): Listing<ExportScheduleRun, Page<ExportScheduleRun>> =>
      new Listing((cursor) => {
        const page = { ...query, ...(cursor && { cursor }) };
        return connection.call('listExportScheduleRuns', { path: pathOf(scheduleId), query: page, signal });
      }),
  };
}
