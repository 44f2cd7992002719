import type { EventDeliveryStatus } from '@roster/contract';
import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { notFound } from '#platform/errors/api-error.ts';
import { newCycle } from '#platform/jobs/due-now.ts';
import type { SubscriptionKey } from './subscription-store.ts';

/** A row of the table `event_deliveries`. */
export type EventDeliveryRow = Selectable<Tables['event_deliveries']>;

/** Selects the deliveries of a listing. */
interface DeliveryFilter {
  readonly status?: EventDeliveryStatus | undefined;
  /** Only deliveries created before this `delivery_id`. */
  readonly before?: string | undefined;
}

/** Lists deliveries of a subscription, newest first. */
export async function listEventDeliveries(
  db: Database,
  { accountId, subscriptionId }: SubscriptionKey,
  { status, before }: DeliveryFilter,
  limit: number,
): Promise<EventDeliveryRow[]> {
  return db
    .selectFrom('event_deliveries')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(before !== undefined, (query) => query.where('delivery_id', '<', before!))
    .selectAll()
    .orderBy('delivery_id', 'desc')
    .limit(limit)
    .execute();
}

/** Finds a delivery and locks it until the transaction ends; throws `not_found`. */
export async function requireLockedEventDelivery(
  trx: Database,
  { accountId, subscriptionId }: SubscriptionKey,
  deliveryId: string,
): Promise<EventDeliveryRow> {
  const row = await trx
    .selectFrom('event_deliveries')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .where('delivery_id', '=', deliveryId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw notFound(`delivery ${deliveryId} of the event subscription`);
}

/** Makes a failed delivery pending again, due now, with a new cycle of attempts. */
export async function restartEventDelivery(trx: Database, row: EventDeliveryRow, at: Date): Promise<EventDeliveryRow> {
  return trx
    .updateTable('event_deliveries')
    .where('account_id', '=', row.account_id)
    .where('subscription_id', '=', row.subscription_id)
    .where('delivery_id', '=', row.delivery_id)
    .set({
      status: 'pending',
      replayed: true,
      ...newCycle(at),
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Makes the delivery that waits in the order of the feed due now, with a new cycle of attempts. */
export async function retryPendingNow(
  trx: Database,
  { accountId, subscriptionId }: SubscriptionKey,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('event_deliveries')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'pending')
    .set(newCycle(at))
    .execute();
}

/** Cancels the delivery that waits in the order of the feed. Dead letters stay. */
export async function cancelPending(
  trx: Database,
  { accountId, subscriptionId }: SubscriptionKey,
  at: Date,
): Promise<void> {
  await trx
    .updateTable('event_deliveries')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'pending')
    .where('replayed', '=', false)
    .set({ status: 'cancelled', next_attempt_at: null, finished_at: at })
    .execute();
}

/** What the view of a subscription shows of its deliveries. */
export interface DeliveryState {
  /** The delivery in the order of the feed that is sent now, or waits for its next attempt. */
  readonly pending: EventDeliveryRow | undefined;
  readonly deadLetters: number;
}

/** Loads the states of the deliveries of some subscriptions, by subscription. */
export async function loadDeliveryStates(
  db: Database,
  accountId: number,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryState>> {
  if (subscriptionIds.length === 0) return new Map();
  const pending = await db
    .selectFrom('event_deliveries')
    .where('account_id', '=', accountId)
    .where('subscription_id', 'in', subscriptionIds)
    .where('status', '=', 'pending')
    .where('replayed', '=', false)
    .selectAll()
    .execute();
  const failed = await db
    .selectFrom('event_deliveries')
    .where('account_id', '=', accountId)
    .where('subscription_id', 'in', subscriptionIds)
    .where('status', '=', 'failed')
    .select(['subscription_id', (eb) => eb.fn.countAll<string | number>().as('count')])
    .groupBy('subscription_id')
    .execute();
  return new Map(
    subscriptionIds.map((id) => [
      id,
      {
        pending: pending.find(({ subscription_id }) => subscription_id === id),
        deadLetters: Number(failed.find(({ subscription_id }) => subscription_id === id)?.count ?? 0),
      },
    ]),
  );
}

/** Delivered deliveries that are kept for each subscription. */
const keptDelivered = 1000;

/**
 * Deletes up to `limit` ended deliveries that finished before a time, and delivered ones except the
 * newest of each subscription. Returns how many.
 */
export async function deleteOldEventDeliveries(db: Database, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      (select account_id, subscription_id, delivery_id from event_deliveries
        where finished_at < ${before} and status <> 'pending' limit ${limit})
      union
      (select d.account_id, d.subscription_id, d.delivery_id
        from event_subscriptions s
        cross join lateral (
          select e.account_id, e.subscription_id, e.delivery_id, e.status from event_deliveries e
          where e.account_id = s.account_id and e.subscription_id = s.subscription_id
          order by e.delivery_id desc offset ${keptDelivered}) d
        where d.status in ('delivered', 'cancelled') limit ${limit})
    )
    delete from event_deliveries d using old
    where d.account_id = old.account_id and d.subscription_id = old.subscription_id and d.delivery_id = old.delivery_id
    returning d.delivery_id`.execute(db);
  return rows.length;
}
