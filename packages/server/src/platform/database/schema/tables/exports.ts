import type { BlocklistType, CallbackMethod, ExportStatus, ScheduleTiming } from '@roster/contract';
import type { Generated, JSONColumnType } from 'kysely';

/** A column of an exported file: its name as requested, and its attribute or field. */
export type ExportColumn = { readonly name: string } & (
  | { readonly attribute_id: number; readonly field?: undefined }
  | { readonly field: string; readonly attribute_id?: undefined }
);

/** The callback that the caller of an export asked for. */
export interface ExportCallback {
  readonly method: CallbackMethod;
  readonly endpoint: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Sent as `callbackBody`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What an export has in its file, and whom it tells when it ends. A schedule has it for all its runs. */
interface ExportOptions {
  /** Null when the contacts are those of a filter. */
  audience_type: 'list' | 'segment' | null;
  audience_id: number | null;
  /** In the form of `audiences.filter`. */
  filter: JSONColumnType<object> | null;
  columns: JSONColumnType<readonly ExportColumn[]>;
  blocklist_type: BlocklistType | null;
  compression: 'none' | 'gzip';
  unmasked: boolean;
  callback: JSONColumnType<ExportCallback> | null;
  notify_email: string | null;
  place: JSONColumnType<ExportPlace> | null;
}

/** Exports: options, progress and result. */
export interface ExportsTable extends ExportOptions {
  account_id: number;
  request_id: string;
  author: string;
  api_key_id: number | null;
  status: ExportStatus;
  schedule_id: string | null;
  due_at: Date | null;
  run: Generated<number>;
  unfinished_write: string | null;
  rows_total: number | null;
  rows_written: Generated<number>;
  file_key: string | null;
  file_size: number | null;
  secret: Buffer;
  error: string | null;
  delivery_id: string | null;
  mail_id: string | null;
  accepted_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
}

/** A place in S3 that gets the files of a schedule. Its secret is stored elsewhere. */
export interface ExportPlace {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
  readonly key_id: string;
}

/** Schedules of exports. */
export interface ExportSchedulesTable extends ExportOptions {
  account_id: number;
  schedule_id: string;
  name: string;
  timing: JSONColumnType<ScheduleTiming>;
  time_zone: string;
  place_secret: string | null;
  keep_files: number;
  paused: boolean;
  failures: Generated<number>;
  disabled_at: Date | null;
  next_run_at: Date | null;
  version: Generated<number>;
  author: string;
  created_at: Date;
  updated_at: Date;
}

/** The history of schedules. */
export interface ExportScheduleRunsTable {
  account_id: number;
  schedule_id: string;
  due_at: Date;
  by_hand: boolean;
  status: 'started' | 'completed' | 'failed' | 'cancelled' | 'skipped';
  request_id: string | null;
  missed: Generated<number>;
  reason: string | null;
  rows_written: number | null;
  file_size: number | null;
  finished_at: Date | null;
}
