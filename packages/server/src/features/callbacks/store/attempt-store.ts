import { sql } from 'kysely';
import type pg from 'pg';
import { signingSecretsOf } from '#features/accounts/signing-secrets/signing-secret-store.ts';
import { inOneMessage, withoutWaitingForDisk } from '#platform/database/statements/one-message.ts';
import { deliveryJobs, type DeliveryAttemptRow, type DeliveryKey, type DeliveryRow } from './delivery-store.ts';
import { hasSlot, lockSlots, othersParked, type SlotOwners } from './delivery-slots.ts';

/** An attempt that has begun. `attempts` of its delivery is its number; `secrets` sign it. */
export interface Attempt extends DeliveryRow {
  readonly secrets: readonly string[];
}

/** The result of {@link beginAttempt}. */
export interface BegunAttempt {
  /** The account and the receiver whose slots the attempt takes. */
  readonly owners: SlotOwners;
  /** undefined when the delivery is not due, or was parked because no slot is free. */
  readonly attempt: Attempt | undefined;
}

/**
 * Begins the next attempt of a delivery that is due, and records it. If no slot is free, parks the
 * delivery until another attempt of its account or receiver ends. Returns undefined if the delivery
 * does not exist.
 *
 * A running attempt belongs to the job that makes it, and other jobs do not touch it. If the
 * process is killed, the next run of the same job records the attempt as interrupted and begins the
 * next one.
 *
 * The transactions do not wait for the disk. If a crash of PostgreSQL loses the end of an attempt,
 * it also loses the end of the job. The job then runs again.
 */
export async function beginAttempt(
  pool: pg.Pool,
  key: DeliveryKey,
  jobId: string,
  at: Date,
): Promise<BegunAttempt | undefined> {
  const { account_id, delivery_id } = key;
  // The clock of the database starts jobs, so it also decides which deliveries are due.
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

/** The columns that the end of an attempt sets. */
export type AttemptOutcome = Omit<DeliveryAttemptRow, keyof DeliveryKey | 'attempt' | 'started_at'>;

/**
 * The step after an attempt: another attempt after a pause in milliseconds, or the final status.
 */
export type AttemptEnd = { readonly pause: number } | { readonly status: 'delivered' | 'failed'; readonly at: Date };

/** The result of {@link endAttempt}. */
export interface EndedAttempt {
  /** False if a later attempt of the delivery has begun. The later one decides the next step. */
  readonly decided: boolean;
  /** True when a delivery of the same account or receiver is parked. */
  readonly othersParked: boolean;
}

/**
 * Ends an attempt, records its outcome, and adds the job of the next attempt after a pause. The
 * outcome of another attempt does not change a delivery that was delivered.
 */
export async function endAttempt(
  pool: pg.Pool,
  { account_id, delivery_id, attempts, receiver }: DeliveryRow,
  outcome: AttemptOutcome,
  end: AttemptEnd,
): Promise<EndedAttempt> {
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
          sql`select 1 from ended`,
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
  // Search for parked deliveries after the commit, to find those that were parked in the meantime.
  const results = await inOneMessage(pool, [[withoutWaitingForDisk, finish], [othersParked({ account_id, receiver })]]);
  const [ended, [others]] = results as [unknown[], [{ parked: boolean }]];
  return { decided: ended.length > 0, othersParked: others.parked };
}
