import { sql } from 'kysely';
import type pg from 'pg';
import { signingSecretsOf } from '#features/accounts/signing-secrets/signing-secret-store.ts';
import { inOneMessage, withoutWaitingForDisk } from '#platform/database/statements/one-message.ts';
import { deliveryJobs, type DeliveryAttemptRow, type DeliveryKey, type DeliveryRow } from './delivery-store.ts';
import { hasSlot, lockSlots, othersParked, type SlotOwners } from './delivery-slots.ts';

/** An attempt that has begun: its delivery, whose `attempts` is the number of the attempt, and the secrets to sign with. */
export interface Attempt extends DeliveryRow {
  readonly secrets: readonly string[];
}

/** The result of {@link beginAttempt}. */
export interface Beginning {
  /** Whose slots the attempt takes. */
  readonly owners: SlotOwners;
  /** undefined when the delivery is not due, or was parked because no slot is free. */
  readonly attempt: Attempt | undefined;
}

/**
 * Begins the next attempt of a delivery that is due, and records it. Without a free slot, the
 * delivery is parked: the next attempt of its account or receiver to end passes its slot on.
 * Returns undefined when the delivery does not exist (any more).
 *
 * An attempt under way belongs to the job that makes it, and other jobs leave it alone. If the
 * process is killed, the next run of the same job records the attempt as interrupted and begins the
 * next one.
 *
 * Attempts begin and end without waiting for the disk. If a crash of PostgreSQL loses the end of an
 * attempt, it also loses the end of the job, which then runs again.
 */
export async function beginAttempt(
  pool: pg.Pool,
  key: DeliveryKey,
  jobId: string,
  at: Date,
): Promise<Beginning | undefined> {
  const { account_id, delivery_id } = key;
  // Jobs run by the clock of the database, so this clock also says what is due.
  const isDue = sql`d.status = 'pending' and d.next_attempt_at <= now() and (d.phase <> 'sending' or d.sending_job = ${jobId}::bigint)`;
  const begin = sql`
    with found as materialized (
      select d.account_id, d.delivery_id, d.receiver, ${isDue} and ${hasSlot} as has_slot
      from deliveries d where d.account_id = ${account_id} and d.delivery_id = ${delivery_id}
    ), due as (
      update deliveries d set
        phase = case when found.has_slot then 'sending' else 'parked' end, sending_job = case when found.has_slot then ${jobId}::bigint end,
        attempts = d.attempts + found.has_slot::int
      from found where d.account_id = found.account_id and d.delivery_id = found.delivery_id and ${isDue}
      returning d.*
    ), cut_off as (
      update delivery_attempts a set error_code = 'interrupted'
      from due where due.phase = 'sending' and due.attempts > 1
        and a.account_id = due.account_id and a.delivery_id = due.delivery_id and a.duration_ms is null and a.error_code is null
    ), begun as (
      insert into delivery_attempts (account_id, delivery_id, attempt, started_at)
      select account_id, delivery_id, attempts, ${at}::timestamptz from due where phase = 'sending'
    )
    select found.receiver as owner, due.*, ${signingSecretsOf(sql`found.account_id`, at)} as secrets
    from found left join due on true`;
  const [[row]] = (await inOneMessage(pool, [[withoutWaitingForDisk, lockSlots(key), begin]])) as [
    ((Attempt & { owner: string }) | undefined)[],
  ];
  if (row === undefined) return undefined;
  const { owner, ...attempt } = row;
  return { owners: { account_id, receiver: owner }, attempt: attempt.phase === 'sending' ? attempt : undefined };
}

/** What is recorded of an attempt when it has ended. */
export type AttemptOutcome = Omit<DeliveryAttemptRow, keyof DeliveryKey | 'attempt' | 'started_at'>;

/** What follows an attempt: another one after a pause (milliseconds), or the end of the delivery. */
export type AttemptEnd = { readonly pause: number } | { readonly status: 'delivered' | 'failed'; readonly at: Date };

/** The result of {@link endAttempt}. */
export interface Ended {
  /** False when a later attempt of the delivery has begun, which decides what follows. */
  readonly decided: boolean;
  /** True when a delivery of the same account or receiver is parked. */
  readonly othersParked: boolean;
}

/**
 * Ends an attempt, records its outcome, and adds the job of the next attempt after a pause. A
 * delivery that was delivered stays delivered, whatever the outcome of another attempt.
 */
export async function endAttempt(
  pool: pg.Pool,
  { account_id, delivery_id, attempts, receiver }: DeliveryRow,
  outcome: AttemptOutcome,
  end: AttemptEnd,
): Promise<Ended> {
  const isDelivered = 'status' in end && end.status === 'delivered';
  const isLast = isDelivered ? sql`true` : sql`phase = 'sending' and attempts = ${attempts}`;
  const [next, jobs] =
    'pause' in end
      ? [
          sql`phase = 'waiting', sending_job = null, next_attempt_at = now() + ${end.pause} * interval '1 millisecond'`,
          sql`, jobs as (${deliveryJobs(sql`ended`)}) select (select count(*) from jobs) from ended`,
        ]
      : [
          sql`status = ${end.status}, phase = null, sending_job = null, next_attempt_at = null, finished_at = ${end.at}`,
          sql`select from ended`,
        ];
  const finish = sql`
    with outcome as (
      update delivery_attempts set
        duration_ms = ${outcome.duration_ms}, status_code = ${outcome.status_code}, error_code = ${outcome.error_code},
        error_detail = ${outcome.error_detail}, address = ${outcome.address}
      where account_id = ${account_id} and delivery_id = ${delivery_id} and attempt = ${attempts}
    ), ended as (
      update deliveries set ${next}
      where account_id = ${account_id} and delivery_id = ${delivery_id} and status = 'pending' and ${isLast}
      returning account_id, delivery_id, next_attempt_at as run_at
    ) ${jobs}`;
  // The second transaction looks after the commit: a delivery that is parked meanwhile is not missed.
  const results = await inOneMessage(pool, [[withoutWaitingForDisk, finish], [othersParked({ account_id, receiver })]]);
  const [ended, [others]] = results as [unknown[], [{ parked: boolean }]];
  return { decided: ended.length > 0, othersParked: others.parked };
}
