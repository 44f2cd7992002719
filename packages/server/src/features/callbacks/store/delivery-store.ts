import type { DeliverySource, DeliveryStatus } from '@roster/contract';
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { dueNow, newCycle } from '#platform/jobs/due-now.ts';
import { addedJobs } from '#platform/jobs/jobs.ts';

/** A row of `deliveries`. */
export type DeliveryRow = Selectable<Tables['deliveries']>;

/** A row of `deliveries` without columns that can be large or secret, or that only jobs need. */
export type DeliverySummaryRow = Omit<DeliveryRow, 'headers' | 'body' | 'sending_job'>;

/** A row of `delivery_attempts`. */
export type DeliveryAttemptRow = Selectable<Tables['delivery_attempts']>;

/** A delivery by its key. */
export type DeliveryKey = Pick<DeliveryRow, 'account_id' | 'delivery_id'>;

/**
 * The query that adds the job of an attempt for each row of another query, which has the columns
 * `account_id`, `delivery_id` and `run_at` (null: now).
 */
export function deliveryJobs(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return addedJobs(
    'deliver',
    sql`
      select json_build_object('account_id', account_id, 'delivery_id', delivery_id) as payload, null::text as queue, run_at,
        null::int as max_attempts, null::text as key, null::int as priority
      from ${rows}`,
  );
}

/** Stores deliveries that are due now, with their jobs. */
export async function insertDeliveries(
  trx: Database,
  rows: readonly Omit<Insertable<Tables['deliveries']>, 'status' | 'phase'>[],
): Promise<void> {
  const insert = trx
    .insertInto('deliveries')
    .values(rows.map((row) => ({ ...row, status: 'pending', phase: 'waiting', next_attempt_at: dueNow })))
    .returning(['account_id', 'delivery_id', sql<null>`null::timestamptz`.as('run_at')]);
  await sql`with stored as (${insert}) ${deliveryJobs(sql`stored`)}`.execute(trx);
}

/** Selects the deliveries of a listing. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly source?: DeliverySource | undefined;
  readonly sourceId?: string | undefined;
  /** Only deliveries created before this `delivery_id`. */
  readonly before?: string | undefined;
}

const summaryColumns = [
  'account_id',
  'delivery_id',
  'source',
  'source_id',
  'method',
  'url',
  'receiver',
  'status',
  'phase',
  'attempts',
  'attempts_before_cycle',
  'cycle_started_at',
  'next_attempt_at',
  'created_at',
  'finished_at',
] as const;

/** Returns deliveries of an account, newest first. */
export async function listDeliveries(
  db: Database,
  accountId: number,
  { status, source, sourceId, before }: DeliveryFilter,
  limit: number,
): Promise<DeliverySummaryRow[]> {
  return db
    .selectFrom('deliveries')
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .$if(sourceId !== undefined, (query) => query.where('source_id', '=', sourceId!))
    .$if(before !== undefined, (query) => query.where('delivery_id', '<', before!))
    .select(summaryColumns)
    .orderBy('delivery_id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns a delivery by its id. */
export async function findDelivery(
  db: Database,
  accountId: number,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('deliveries')
    .where('account_id', '=', accountId)
    .where('delivery_id', '=', deliveryId)
    .selectAll()
    .executeTakeFirst();
}

/** Returns the attempts of a delivery, oldest first. */
export async function listAttempts(db: Database, accountId: number, deliveryId: string): Promise<DeliveryAttemptRow[]> {
  return db
    .selectFrom('delivery_attempts')
    .where('account_id', '=', accountId)
    .where('delivery_id', '=', deliveryId)
    .selectAll()
    .orderBy('attempt')
    .execute();
}

/** Returns a delivery by its id, and locks it until the transaction ends. */
export async function lockDelivery(
  trx: Database,
  accountId: number,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  return trx
    .selectFrom('deliveries')
    .where('account_id', '=', accountId)
    .where('delivery_id', '=', deliveryId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Restarts a finished delivery: it is due now, with a new cycle of attempts. */
export async function restartDelivery(
  trx: Database,
  accountId: number,
  deliveryId: string,
  at: Date,
): Promise<DeliveryRow> {
  return trx
    .updateTable('deliveries')
    .where('account_id', '=', accountId)
    .where('delivery_id', '=', deliveryId)
    .set({
      status: 'pending',
      phase: 'waiting',
      ...newCycle(at),
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Deletes up to `limit` deliveries that finished before a time, with their attempts. Returns how
 * many.
 */
export async function deleteDeliveriesBefore(db: Database, finishedBefore: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select account_id, delivery_id from deliveries where finished_at < ${finishedBefore} limit ${limit} for update skip locked
    ), attempts as (
      delete from delivery_attempts a using old where a.account_id = old.account_id and a.delivery_id = old.delivery_id
    )
    delete from deliveries d using old where d.account_id = old.account_id and d.delivery_id = old.delivery_id
    returning d.delivery_id`.execute(db);
  return rows.length;
}
