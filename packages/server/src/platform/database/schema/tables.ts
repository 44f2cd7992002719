import type {
  AuditAction,
  AccountSettings,
  AttributeCategory,
  ContactType,
  DataMasking,
  DataType,
  DeliveryErrorCode,
  DeliverySource,
  DeliveryStatus,
  MailErrorCode,
  MailStatus,
  OptOutChannel,
  RequestStatus,
  Scope,
} from '@roster/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { AccessTables } from './tables/access.ts';
import type { BackupTables } from './tables/backups.ts';
import type { BulkChangeTables } from './tables/bulk-changes.ts';
import type { CountTables } from './tables/counts.ts';
import type { ErasuresTable, ForgottenTable } from './tables/erasures.ts';
import type { ContactEventsTable, EventFeedsTable, EventGroupsTable, FormerKeysTable } from './tables/history.ts';
import type { EventDeliveriesTable, EventSubscriptionsTable } from './tables/events.ts';
import type { ExportScheduleRunsTable, ExportSchedulesTable, ExportsTable } from './tables/exports.ts';
import type { ImportRequestsTable, ImportsTable } from './tables/imports.ts';
import type { LiveTables } from './tables/live.ts';
import type { SavedViewsTable } from './tables/console.ts';
import type { SummaryTables } from './tables/activity-summaries.ts';
import type { AttributeSlotsTable, SlotValues } from './tables/slots.ts';
import type { HistoryMarksTable } from './tables/replicas.ts';
import type { AccountDeletionsTable, IndexSizesTable, SweepsTable } from './tables/upkeep.ts';

interface AccountsTable {
  account_id: Generated<number>;
  name: string;
  primary_key: string;
  time_zone: string;
  settings: JSONColumnType<AccountSettings>;
  forgotten_salt: Generated<Buffer | null>;
  created_at: Date;
  updated_at: Date;
  /** Set while the account is being deleted. */
  deleted_at: Generated<Date | null>;
}

interface AccountNumbersTable {
  account_id: number;
  last_audience_id: Generated<number>;
  last_attribute_id: Generated<number>;
}

interface ApiKeysTable {
  account_id: number;
  api_key_id: Generated<number>;
  name: string;
  key_hash: Buffer;
  key_hint: string;
  scopes: Scope[];
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: ColumnType<Date | null, never, Date>;
  created_at: Date;
}

interface AttributesTable {
  account_id: number;
  attribute_id: number;
  name: string;
  entity_type: Generated<'contact'>;
  category: Generated<AttributeCategory>;
  data_type: DataType;
  default_value: ColumnType<string | number | boolean | null, string | null | undefined, string | null>;
  mapping: string | null;
  data_masking: Generated<DataMasking>;
  system: Generated<boolean>;
  widened_from: 'number' | 'boolean' | null;
  indexed: Generated<boolean>;
  indexed_as: DataType | null;
  index_failed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface FormerMasksTable {
  account_id: number;
  name: string;
  data_masking: DataMasking;
}

interface AudiencesTable {
  account_id: number;
  audience_id: number;
  audience_type: 'list' | 'segment';
  name: string;
  filter: JSONColumnType<object> | null;
  member_count: Generated<number>;
  /** Null: since the list was created. */
  counted_since: Generated<Date | null>;
  created_at: Date;
  updated_at: Date;
}

interface ListDaysTable {
  account_id: number;
  audience_id: number;
  day: string;
  joined: number;
  departed: number;
}

interface SegmentCountsTable {
  account_id: number;
  audience_id: number;
  day: string;
  contacts: number | null;
}

interface ContactsTable extends SlotValues {
  account_id: number;
  contact_key: string;
  contact_id: number;
  contact_type: ContactType;
  type_before_blacklisting: ContactType | null;
  email: string | null;
  mobile: string | null;
  attributes: JSONColumnType<Record<string, string | number | boolean>>;
  list_ids: number[];
  email_opted_out: Generated<boolean>;
  sms_opted_out: Generated<boolean>;
  whatsapp_opted_out: Generated<boolean>;
  opted_in_at: Generated<JSONColumnType<Partial<Record<OptOutChannel, string>>> | null>;
  created_at: Date;
  updated_at: Date;
}

/**
 * The counts of a request. After it ends, total = created + updated + unchanged + deleted + failed.
 */
export interface RequestCounts {
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  failed: number;
  /** Number of warnings: parts of items that were left out. */
  warnings: number;
}

interface RequestsTable {
  account_id: number;
  request_id: string;
  seq: number;
  operation: string;
  payload: Buffer;
  payload_codec: 'json' | 'zstd' | 'parts';
  total: number;
  accepted_at: Date;
}

interface RequestResultsTable {
  account_id: number;
  request_id: string;
  status: Exclude<RequestStatus, 'accepted'>;
  counts: JSONColumnType<RequestCounts>;
  finished_at: Date;
  attribute_ids: Generated<number[] | null>;
  /** The least number of a contact that the request touched; null when it touched none. */
  first_contact_id: Generated<number | null>;
  last_contact_id: Generated<number | null>;
  /** The contacts as `runsOf` returns them; null when they are all numbers from the first to the last. */
  contact_ids: Generated<number[] | null>;
}

interface RequestQueueTable {
  account_id: number;
  /** The lane that applies the row; 0: all lanes of the account. */
  lane: Generated<number>;
  seq: number;
  /** Number of the part of the request, from 1; 0 when the row is the whole request. */
  part: Generated<number>;
  parts: Generated<number>;
  request_id: string;
  total: number;
  /** Size of the payload of the whole request before compression. */
  payload_bytes: number;
  exclusive: Generated<boolean>;
  attempts: Generated<number>;
  accepted_at: Date;
}

interface RequestPartsTable {
  account_id: number;
  request_id: string;
  part: number;
  /** Number of parts that were applied in one batch. */
  parts: Generated<number>;
  status: Exclude<RequestStatus, 'accepted'>;
  counts: JSONColumnType<RequestCounts>;
  /** As `runsOf` returns them. */
  contact_ids: number[];
}

interface RequestFailuresTable {
  account_id: number;
  request_id: string;
  item_index: number;
  ordinal: number;
  code: string;
  field: string | null;
  message: string;
  warning: boolean;
}

interface IdempotencyKeysTable {
  account_id: number;
  operation: string;
  idempotency_key: string;
  body_hash: Buffer;
  request_id: string;
  accepted_at: Date;
}

interface SigningSecretsTable {
  account_id: number;
  signing_secret_id: Generated<number>;
  secret: string;
  created_at: Date;
  expires_at: Date | null;
}

interface DeliveriesTable {
  account_id: number;
  delivery_id: string;
  source: DeliverySource;
  source_id: string;
  method: string;
  url: string;
  receiver: string;
  headers: JSONColumnType<readonly (readonly [name: string, value: string])[]>;
  body: string;
  status: DeliveryStatus;
  phase: 'waiting' | 'parked' | 'sending' | null;
  sending_job: string | null;
  attempts: Generated<number>;
  attempts_before_cycle: Generated<number>;
  cycle_started_at: Date;
  next_attempt_at: Date | null;
  created_at: Date;
  finished_at: Date | null;
}

interface DeliveryAttemptsTable {
  account_id: number;
  delivery_id: string;
  attempt: number;
  started_at: Date;
  duration_ms: number | null;
  status_code: number | null;
  error_code: DeliveryErrorCode | null;
  error_detail: string | null;
  address: string | null;
}

interface SignUpsTable {
  account_id: number;
  sign_up_id: string;
  token_hash: Buffer;
  address_hash: Buffer;
  contact: JSONColumnType<object> | null;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface AuditLogTable {
  account_id: number;
  audit_id: Generated<number>;
  occurred_at: Date;
  actor: string;
  action: AuditAction;
  subject: string;
  details: ColumnType<Record<string, unknown>, string | undefined, string>;
}

interface MailsTable {
  account_id: number;
  mail_id: string;
  template: string;
  recipient: string;
  subject: string;
  plain_text: string;
  html: string;
  status: MailStatus;
  attempts: Generated<number>;
  last_error: MailErrorCode | null;
  last_reply: string | null;
  created_at: Date;
  sent_at: Date | null;
  next_attempt_at: Date | null;
}

interface ActivitiesTable {
  account_id: number;
  channel: number;
  activity: number;
  occurred_at: Date;
  message_id: number | null;
  record_id: number | null;
  contact_key: string;
  msg_name: string | null;
  hard_bounce: boolean | null;
  ip: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  link: string | null;
}

interface ActivityMovesTable {
  account_id: number;
  contact_key: string;
  target_key: string | null;
}

interface AwaitedOptOutsTable {
  account_id: number;
  contact_key: string;
  channel: OptOutChannel;
  occurred_at: ColumnType<Date, Date | string>;
}

interface BatchJobsTable {
  account_id: number;
  job_id: string;
  list_id: number;
  callback_url: string;
  notify_email: string;
}

/** All tables of the service, as the migrations make them. */
export interface Tables extends BackupTables, BulkChangeTables, CountTables, LiveTables, AccessTables, SummaryTables {
  accounts: AccountsTable;
  account_deletions: AccountDeletionsTable;
  account_numbers: AccountNumbersTable;
  api_keys: ApiKeysTable;
  attributes: AttributesTable;
  attribute_slots: AttributeSlotsTable;
  former_masks: FormerMasksTable;
  audiences: AudiencesTable;
  list_days: ListDaysTable;
  segment_counts: SegmentCountsTable;
  contacts: ContactsTable;
  requests: RequestsTable;
  request_results: RequestResultsTable;
  request_queue: RequestQueueTable;
  request_parts: RequestPartsTable;
  request_failures: RequestFailuresTable;
  idempotency_keys: IdempotencyKeysTable;
  sweeps: SweepsTable;
  signing_secrets: SigningSecretsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  sign_ups: SignUpsTable;
  exports: ExportsTable;
  export_schedules: ExportSchedulesTable;
  export_schedule_runs: ExportScheduleRunsTable;
  saved_views: SavedViewsTable;
  imports: ImportsTable;
  import_requests: ImportRequestsTable;
  audit_log: AuditLogTable;
  mails: MailsTable;
  activities: ActivitiesTable;
  activity_moves: ActivityMovesTable;
  awaited_opt_outs: AwaitedOptOutsTable;
  batch_jobs: BatchJobsTable;
  erasures: ErasuresTable;
  forgotten: ForgottenTable;
  former_keys: FormerKeysTable;
  contact_events: ContactEventsTable;
  event_feeds: EventFeedsTable;
  event_groups: EventGroupsTable;
  event_subscriptions: EventSubscriptionsTable;
  event_deliveries: EventDeliveriesTable;
  index_sizes: IndexSizesTable;
  history_marks: HistoryMarksTable;
}
