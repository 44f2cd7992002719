import type { DeliveryErrorCode, EventDeliveryStatus, EventKind, FailurePolicy, PauseReason } from '@roster/contract';
import type { Generated, JSONColumnType } from 'kysely';
import type { ExportColumn } from './exports.ts';

/** Receivers of the events of an account. */
export interface EventSubscriptionsTable {
  account_id: number;
  subscription_id: string;
  name: string;
  url: string;
  headers: JSONColumnType<readonly (readonly [name: string, value: string])[]>;
  /** Null: all kinds. */
  kinds: JSONColumnType<readonly EventKind[]> | null;
  /** In the form of `audiences.filter`. */
  filter: JSONColumnType<object> | null;
  /** The fields of the contact that events have. */
  columns: JSONColumnType<readonly ExportColumn[]>;
  unmasked: boolean;
  max_events: number;
  when_failed: FailurePolicy;
  secret: string;
  secret_created_at: Date;
  previous_secret: string | null;
  previous_expires_at: Date | null;
  /** Events up to this position were delivered, left out, or given up. */
  position: number;
  paused_at: Date | null;
  pause_reason: PauseReason | null;
  pause_detail: string | null;
  phase: Generated<'idle' | 'queued'>;
  /** The job that sends. Null: the job has not begun. */
  job_id: number | null;
  author: string;
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
}

/** Batches of events of subscriptions. They have positions, and no events. */
export interface EventDeliveriesTable {
  account_id: number;
  subscription_id: string;
  delivery_id: string;
  after_position: number;
  last_position: number;
  events: number | null;
  /** True: a dead letter that is sent again. It does not move the position of the subscription. */
  replayed: Generated<boolean>;
  status: EventDeliveryStatus;
  attempts: Generated<number>;
  attempts_before_cycle: Generated<number>;
  cycle_started_at: Date;
  next_attempt_at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  error_code: DeliveryErrorCode | null;
  error_detail: string | null;
  created_at: Date;
  finished_at: Date | null;
}
