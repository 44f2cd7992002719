import { sql } from 'kysely';
import type pg from 'pg';
import { signingSecretsOf } from '#features/accounts/signing-secrets/signing-secret-store.ts';
import { inOneMessage, withoutWaitingForDisk } from '#platform/database/statements/one-message.ts';
import { deliveryJobs, type DeliveryAttemptRow, type DeliveryKey, type DeliveryRow } from './delivery-store.ts';
import { hasPlace, lockPlaces, othersWait, type PlaceOwners } from './delivery-slots.ts';

/** An attempt that has begun: its delivery, whose `attempts` is its number, and the secrets that sign it. */
export interface Attempt extends DeliveryRow {
  readonly secrets: readonly string[];
}

/** What came of beginning an attempt: the attempt, unless the delivery is not due or has to wait for a place; and whose places it needs. */
export interface Beginning {
  readonly owners: PlaceOwners;
  readonly attempt: Attempt | undefined;
}

/**
 * Begins the next attempt of a delivery that is due, and writes it down; one that finds no place is parked, which leaves it to whoever passes
 * on a place of its account or its receiver. undefined when there is no such delivery (any more).
 *
 * An attempt under way belongs to the job that makes it: another job of the delivery leaves it alone, and the next run of the same one, whose
 * process was killed, notes that it was cut off and makes the next.
 *
 * Neither the beginning of an attempt nor its end waits for the disk: a crash of the server that loses them loses the end of the job too, which
 * then runs again like that of a killed process.
 */
export async function beginAttempt(
  pool: pg.Pool,
  key: DeliveryKey,
  jobId: string,
  at: Date,
): Promise<Beginning | undefined> {
  const { account_id, delivery_id } = key;
  // Jobs run by the clock of the database, so what is due is told by it too.
  const isDue = sql`d.status = 'pending' and d.next_attempt_at <= now() and (d.phase <> 'sending' or d.sending_job = ${jobId}::bigint)`;
  const begin = sql`
    with found as materialized (
      select d.account_id, d.delivery_id, d.receiver, ${isDue} and ${hasPlace} as has_place
      from deliveries d where d.account_id = ${account_id} and d.delivery_id = ${delivery_id}
    ), due as (
      update deliveries d set
        phase = case when found.has_place then 'sending' else 'parked' end, sending_job = case when found.has_place then ${jobId}::bigint end,
        attempts = d.attempts + found.has_place::int
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
  const [[row]] = (await inOneMessage(pool, [[withoutWaitingForDisk, lockPlaces(key), begin]])) as [
    ((Attempt & { owner: string }) | undefined)[],
  ];
  if (row === undefined) return undefined;
  const { owner, ...attempt } = row;
  return { owners: { account_id, receiver: owner }, attempt: attempt.phase === 'sending' ? attempt : undefined };
}

/** What is written down of an attempt when it has ended. */
export type AttemptOutcome = Omit<DeliveryAttemptRow, keyof DeliveryKey | 'attempt' | 'started_at'>;

/** What becomes of a delivery after an attempt: another one after a pause (milliseconds), or its end. */
export type AttemptEnd = { readonly pause: number } | { readonly status: 'delivered' | 'failed'; readonly at: Date };

/** What ending an attempt has found. */
export interface Ended {
  /** False when another attempt, begun meanwhile, decides what becomes of the delivery. */
  readonly decided: boolean;
  /** Some delivery waits for a place of the same account or receiver. */
  readonly othersWait: boolean;
}

/**
 * Writes down what came of an attempt, ends it, and makes the job of the next one after a pause.
 *
 * What is delivered is delivered, whatever another attempt comes to.
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
  // Whether others wait is looked up when the place is free for good: otherwise one that is parked at this moment could be overlooked.
  const answers = await inOneMessage(pool, [[withoutWaitingForDisk, finish], [othersWait({ account_id, receiver })]]);
  const [ended, [others]] = answers as [unknown[], [{ waits: boolean }]];
  return { decided: ended.length > 0, othersWait: others.waits };
}
