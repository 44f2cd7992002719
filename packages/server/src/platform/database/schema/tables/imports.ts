import type {
  DataType,
  FieldColumn,
  GivenColumn,
  ImportEncoding,
  ImportFailureCode,
  ImportFormulaGuard,
  ImportPresetId,
  ImportStatus,
  RequestStatus,
  OptOutChannel,
  WrittenDateFormat,
  WrittenNumberFormat,
} from '@roster/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The meaning of a column of an imported file. */
export interface FoundColumn {
  /** The name in the file: a cell of the first row, or the key of a JSON object. */
  readonly header: string;
  readonly meaning: ColumnMeaning;
  /** The field or attribute; for an unknown column, the attribute that it could become. */
  readonly name?: string;
  /** Set for an existing attribute. */
  readonly attribute_id?: number;
  readonly data_type?: DataType;
  /** Set for an attribute that the import creates. */
  readonly new_type?: DataType;
  readonly note?: string;
  /** How the cells write dates, and in which time zone. */
  readonly date_format?: WrittenDateFormat;
  readonly time_zone?: string;
  /** How the cells write numbers. */
  readonly number_format?: WrittenNumberFormat;
  /** For opt-outs: what the cells do. */
  readonly values?: FieldColumn['values'] | undefined;
  readonly other_values?: FieldColumn['other_values'] | undefined;
  /** For names of lists: the text between them, and the ids of the lists by their names. */
  readonly separator?: string;
  readonly lists?: Readonly<Record<string, number>>;
  /** For a key in the JSON of a column: the key, and the index of the column. */
  readonly json_key?: string;
  readonly json_column?: number;
}

/** The fields that a column can be written to, and the other meanings of a column. */
export type ColumnMeaning =
  | 'identity'
  | 'contact_id'
  | 'email'
  | 'mobile'
  | 'attribute'
  | 'contact_type'
  | 'email_opted_out'
  | 'sms_opted_out'
  | 'whatsapp_opted_out'
  | 'contact_object'
  | 'created_at'
  | 'list_names'
  | 'json'
  | 'skipped'
  | 'unknown';

/** Imports of files: options, file, progress and result. */
export interface ImportsTable {
  account_id: number;
  import_id: string;
  status: ImportStatus;
  file_name: string | null;
  /** The URL that the file is fetched from. Its query is deleted when the file is not needed anymore. */
  source_url: string | null;
  notify_email: string | null;
  mail_id: string | null;
  given: JSONColumnType<GivenFile>;
  mode: 'upsert' | 'create' | 'update';
  blank_cells: 'leave' | 'clear';
  audience_ids: number[];
  unknown_columns: 'refuse' | 'skip' | 'create';
  dry_run: boolean;
  writes: Generated<number>;
  unfinished_writes: Generated<string[]>;
  file_key: string | null;
  file_size: number | null;
  parts: Generated<number[]>;
  received: Generated<number>;
  stated_size: number | null;
  compression: 'none' | 'gzip' | null;
  format: 'csv' | 'ndjson' | null;
  encoding: ImportEncoding | null;
  delimiter: string | null;
  primary_key: string | null;
  columns: ColumnType<readonly FoundColumn[], string | undefined, string>;
  surveyed: Generated<boolean>;
  bytes_total: number | null;
  bytes_read: Generated<number>;
  rows_read: Generated<number>;
  chunks: Generated<number>;
  all_read: Generated<boolean>;
  created: Generated<number>;
  updated: Generated<number>;
  unchanged: Generated<number>;
  failed: Generated<number>;
  warnings: Generated<number>;
  run: Generated<number>;
  run_started_at: Date | null;
  run_started_bytes: Generated<number>;
  run_started_rows: Generated<number>;
  failure_code: ImportFailureCode | null;
  failure_message: string | null;
  failures_key: string | null;
  /** In bytes. Null for files of before the migration that added it. */
  failures_size: number | null;
  failures_expire_at: Date | null;
  created_at: Date;
  uploaded_at: Date | null;
  started_at: Date | null;
  finished_at: Date | null;
}

/** The properties of the file that the caller gave when the import was created. */
export interface GivenFile {
  readonly format?: 'csv' | 'ndjson' | undefined;
  readonly encoding?: ImportEncoding | undefined;
  readonly delimiter?: string | undefined;
  readonly formula_guard?: ImportFormulaGuard | undefined;
  readonly columns?: Readonly<Record<string, GivenColumn>> | undefined;
  readonly preset?: ImportPresetId | undefined;
  readonly opt_out?: readonly OptOutChannel[] | undefined;
}

/** The requests that contain the rows of a file. */
export interface ImportRequestsTable {
  account_id: number;
  import_id: string;
  chunk: number;
  kind: 'identified' | 'anonymous';
  request_id: string;
  status: Generated<RequestStatus>;
  has_failures: Generated<boolean>;
}
