import type { DeliveryErrorCode, PauseReason } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { dueNow } from '#platform/jobs/due-now.ts';
import type { EventDeliveryRow } from './event-delivery-store.ts';
import type { SubscriptionKey, SubscriptionRow } from './subscription-store.ts';

/** A subscription whose events a job sends. */
export interface Claim extends SubscriptionKey {
  readonly jobId: string;
}

/**
 * Claims a queued subscription for a job, unless another job has it. A job that runs again after a
 * crash gets its subscription back.
 */
export async function claimSubscription(db: Database, { accountId, subscriptionId, jobId }: Claim): Promise<boolean> {
  const { rows } = await sql`
    update event_subscriptions set job_id = ${jobId}::bigint
    where account_id = ${accountId} and subscription_id = ${subscriptionId} and phase = 'queued'
      and (job_id is null or job_id = ${jobId}::bigint)
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Ends the claim of a job. */
export async function releaseSubscription(db: Database, claim: Claim): Promise<void> {
  await sql`update event_subscriptions set phase = 'idle', job_id = null where ${held(claim)}`.execute(db);
}

/** Loads a claimed subscription. Undefined: it or its account was deleted, or it is paused. */
export async function loadClaimed(db: Database, claim: Claim): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select s.* from event_subscriptions s join accounts a using (account_id)
    where ${held(claim, 's.')} and s.paused_at is null and a.deleted_at is null`.execute(db);
  return rows[0];
}

function held({ accountId, subscriptionId, jobId }: Claim, prefix = ''): RawBuilder<unknown> {
  const column = (name: string) => sql.raw(prefix + name);
  return sql`${column('account_id')} = ${accountId} and ${column('subscription_id')} = ${subscriptionId}
    and ${column('job_id')} = ${jobId}::bigint`;
}

/** What to send next. */
export interface NextWork {
  /** The delivery that is due now: that of the feed, or else the oldest dead letter to send again. */
  readonly due: EventDeliveryRow | undefined;
  /** True: a delivery of the feed waits for its next attempt, so nothing after it may be sent. */
  readonly blocked: boolean;
}

/** Loads the deliveries of a subscription that are not ended. */
export async function loadNextWork(db: Database, { accountId, subscriptionId }: SubscriptionKey): Promise<NextWork> {
  const { rows } = await sql<EventDeliveryRow & { is_due: boolean }>`
    select d.*, coalesce(d.next_attempt_at <= now(), false) as is_due from event_deliveries d
    where d.account_id = ${accountId} and d.subscription_id = ${subscriptionId} and d.status = 'pending'
    order by d.replayed, d.delivery_id`.execute(db);
  return { due: rows.find((row) => row.is_due), blocked: rows.some((row) => !row.replayed) };
}

/** A batch of events to send. */
export interface NewBatch {
  readonly deliveryId: string;
  readonly after: number;
  readonly last: number;
  readonly events: number;
}

function inserted(claim: Claim, batch: NewBatch, at: Date, source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into event_deliveries (account_id, subscription_id, delivery_id, after_position, last_position, events, status,
      attempts, cycle_started_at, next_attempt_at, created_at)
    select ${claim.accountId}::int, ${claim.subscriptionId}::uuid, ${batch.deliveryId}::uuid, ${batch.after}::bigint, ${batch.last}::bigint, ${batch.events}::int, 'pending',
      1, ${at}::timestamptz, ${dueNow}, ${at}::timestamptz
    ${source} returning 1`;
}

/**
 * Stores a batch before it is sent, so that another attempt has the same events and the same id.
 * Returns false if the subscription was changed, moved or paused in the meantime.
 */
export async function beginBatch(
  db: Database,
  claim: Claim,
  { version }: SubscriptionRow,
  batch: NewBatch,
  at: Date,
): Promise<boolean> {
  const { rows } = await inserted(
    claim,
    batch,
    at,
    sql`from event_subscriptions where ${held(claim)} and paused_at is null and version = ${version} and position = ${batch.after}
      for update`,
  ).execute(db);
  return rows.length > 0;
}

/** Notes that another attempt of a delivery begins. Returns false if it was cancelled. */
export async function beginRetry(db: Database, row: EventDeliveryRow, events: number): Promise<boolean> {
  const { rows } = await sql`
    update event_deliveries set attempts = attempts + 1, events = ${events}
    where ${isPending(row)} returning 1`.execute(db);
  return rows.length > 0;
}

type DeliveryId = Pick<EventDeliveryRow, 'account_id' | 'subscription_id' | 'delivery_id'>;

function isPending(row: DeliveryId): RawBuilder<unknown> {
  return sql`account_id = ${row.account_id} and subscription_id = ${row.subscription_id}
    and delivery_id = ${row.delivery_id} and status = 'pending'`;
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly errorCode: DeliveryErrorCode | null;
  readonly errorDetail: string | null;
}

/**
 * Locks the claimed subscription before a statement changes its delivery, if `where` has
 * {@link afterLock}. Other changes lock in this order, too. Otherwise, both could wait for each other.
 */
function locked(claim: Claim): RawBuilder<unknown> {
  return sql`locked as (select 1 from event_subscriptions where ${held(claim)} for update)`;
}

// PostgreSQL computes it before it looks at a row.
const afterLock = sql`(select count(*) from locked) >= 0`;

function outcomeColumns(outcome: AttemptOutcome): RawBuilder<unknown> {
  return sql`duration_ms = ${outcome.durationMs}, status_code = ${outcome.statusCode},
    error_code = ${outcome.errorCode}, error_detail = ${outcome.errorDetail}`;
}

/** What follows a delivered batch. */
export interface AfterDelivery {
  /** True: the next batch is stored, and can be sent. */
  readonly begun: boolean;
}

/**
 * Ends a delivered delivery, and moves the position of its subscription to its end, unless it was a
 * dead letter. With `next`, it also begins the next batch in the same statement, if the subscription
 * is unchanged and no dead letter is due.
 */
export async function endDelivered(
  db: Database,
  claim: Claim,
  { version }: SubscriptionRow,
  delivery: DeliveryId & Pick<EventDeliveryRow, 'last_position'>,
  outcome: AttemptOutcome,
  at: Date,
  next: NewBatch | undefined,
): Promise<AfterDelivery> {
  const begin =
    next === undefined
      ? sql`select 1 where false`
      : inserted(
          claim,
          next,
          at,
          sql`from advanced where paused_at is null and version = ${version} and position = ${next.after}
            and not exists (select 1 from event_deliveries r
              where r.account_id = ${claim.accountId} and r.subscription_id = ${claim.subscriptionId}
                and r.status = 'pending' and r.replayed and r.next_attempt_at <= now())`,
        );
  const { rows } = await sql<{ begun: number }>`
    with ${locked(claim)}, ended as (
      update event_deliveries set status = 'delivered', next_attempt_at = null, finished_at = ${at}, ${outcomeColumns(outcome)}
      where ${isPending(delivery)} and ${afterLock} returning replayed
    ), advanced as (
      update event_subscriptions set position = case when ended.replayed then position else ${delivery.last_position} end
      from ended where ${held(claim)} returning paused_at, version, position
    ), begun as (${begin})
    select (select count(*) from begun)::int as begun from ended`.execute(db);
  return { begun: (rows[0]?.begun ?? 0) > 0 };
}

/** Moves the position over events that are not wanted. Returns false if it was moved meanwhile. */
export async function skipEvents(db: Database, claim: Claim, after: number, last: number): Promise<boolean> {
  const { rows } = await sql`
    update event_subscriptions set position = ${last} where ${held(claim)} and position = ${after} returning 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Stores a failed attempt and the time of the next one, in milliseconds from now. */
export async function endRetried(
  db: Database,
  delivery: DeliveryId,
  outcome: AttemptOutcome,
  pause: number,
): Promise<void> {
  await sql`
    update event_deliveries set next_attempt_at = now() + ${pause} * interval '1 millisecond', ${outcomeColumns(outcome)}
    where ${isPending(delivery)}`.execute(db);
}

/** Makes a delivery a dead letter. The subscription goes on after it. */
export async function endFailed(
  db: Database,
  claim: Claim,
  delivery: DeliveryId & Pick<EventDeliveryRow, 'last_position'>,
  outcome: AttemptOutcome,
  at: Date,
): Promise<void> {
  await sql`
    with ${locked(claim)}, ended as (
      update event_deliveries set status = 'failed', next_attempt_at = null, finished_at = ${at}, ${outcomeColumns(outcome)}
      where ${isPending(delivery)} and ${afterLock} returning replayed
    )
    update event_subscriptions set position = case when ended.replayed then position else ${delivery.last_position} end
    from ended where ${held(claim)}`.execute(db);
}

/** Why a subscription is paused. */
export interface Pause {
  readonly reason: PauseReason;
  readonly detail: string | null;
  readonly at: Date;
}

/** Pauses a subscription. Its delivery waits until somebody resumes it. */
export async function pauseSubscription(db: Database, claim: Claim, pause: Pause): Promise<void> {
  await paused(claim, pause).execute(db);
}

/**
 * Pauses a subscription, and stores a failed attempt of its delivery, which waits until somebody
 * resumes it. This is one statement, because nobody could resume a subscription that is not paused.
 */
export async function endPaused(
  db: Database,
  claim: Claim,
  delivery: DeliveryId,
  outcome: AttemptOutcome,
  pause: Pause,
): Promise<void> {
  await sql`
    with paused as (${paused(claim, pause)})
    update event_deliveries set next_attempt_at = null, ${outcomeColumns(outcome)}
    from paused where ${isPending(delivery)}`.execute(db);
}

/** A subscription that is paused already keeps its reason. */
function paused(claim: Claim, { reason, detail, at }: Pause): RawBuilder<unknown> {
  return sql`
    update event_subscriptions set paused_at = coalesce(paused_at, ${at}), pause_reason = coalesce(pause_reason, ${reason}),
      pause_detail = case when paused_at is null then ${detail} else pause_detail end
    where ${held(claim)} returning 1`;
}
