import type { CallbackMethod, DeliverySource, DeliveryStatus } from '@roster/contract';
import { sql, type Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { CallbackHeader } from './callback-headers.ts';

/** A row of `deliveries`. */
export type DeliveryRow = Selectable<Tables['deliveries']>;

/** A row of `delivery_attempts`. */
export type DeliveryAttemptRow = Selectable<Tables['delivery_attempts']>;

/** A delivery to store. */
export interface StoredDelivery {
  readonly accountId: number;
  readonly deliveryId: string;
  readonly source: DeliverySource;
  readonly sourceId: string;
  readonly method: CallbackMethod;
  readonly url: string;
  readonly receiver: string;
  readonly headers: readonly CallbackHeader[];
  readonly body: string;
  readonly createdAt: Date;
}

/**
 * Stores a delivery that is due at once.
 *
 * When it is due is a time of the database, which also says when a job runs: were it another clock's, a job could come too early and find nothing due.
 */
export async function insertDelivery(trx: Database, delivery: StoredDelivery): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({
      account_id: delivery.accountId,
      delivery_id: delivery.deliveryId,
      source: delivery.source,
      source_id: delivery.sourceId,
      method: delivery.method,
      url: delivery.url,
      receiver: delivery.receiver,
      headers: JSON.stringify(delivery.headers.map(({ name, value }) => [name, value])),
      body: delivery.body,
      status: 'pending',
      phase: 'waiting',
      cycle_started_at: delivery.createdAt,
      // Rounded down: the column would round to the nearest millisecond, which can be in the future.
      next_attempt_at: sql<Date>`date_trunc('milliseconds', now())`,
      created_at: delivery.createdAt,
    })
    .execute();
}

/** Which deliveries a listing has. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly source?: DeliverySource | undefined;
  readonly sourceId?: string | undefined;
  /** Only those created before the delivery with this `seq`. */
  readonly before?: number | undefined;
}

/** Deliveries of an account, newest first. */
export async function listDeliveries(
  db: Database,
  accountId: number,
  { status, source, sourceId, before }: DeliveryFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .$if(sourceId !== undefined, (query) => query.where('source_id', '=', sourceId!))
    .$if(before !== undefined, (query) => query.where('seq', '<', before!))
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}

/** The delivery of an id. */
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

/** The attempts of a delivery, the first one first. */
export async function listAttempts(db: Database, accountId: number, deliveryId: string): Promise<DeliveryAttemptRow[]> {
  return db
    .selectFrom('delivery_attempts')
    .where('account_id', '=', accountId)
    .where('delivery_id', '=', deliveryId)
    .selectAll()
    .orderBy('attempt')
    .execute();
}
