import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DeliveryAttemptRow, DeliveryRow } from './delivery-store.ts';

// Jobs run by the clock of the database, so what is due is told by it too.
const databaseNow = sql<Date>`now()`;

/** A delivery by its key. */
export type DeliveryKey = Pick<DeliveryRow, 'account_id' | 'delivery_id'>;

/** Whether a delivery is due, and whose places it needs; undefined when there is no such delivery (any more). */
export async function findPlaceOwners(
  db: Database,
  { account_id, delivery_id }: DeliveryKey,
): Promise<(Pick<DeliveryRow, 'account_id' | 'receiver'> & { readonly isDue: boolean }) | undefined> {
  return db
    .selectFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .select(['account_id', 'receiver'])
    .select((eb) =>
      eb
        .and([eb('status', '=', 'pending'), eb('next_attempt_at', '<=', databaseNow)])
        .$castTo<boolean>()
        .as('isDue'),
    )
    .executeTakeFirst();
}

/** Begins the next attempt of a delivery that is due; undefined when it is not any more. Attempts before it that have no outcome were cut off. */
export async function insertAttempt(
  trx: Database,
  { account_id, delivery_id }: DeliveryKey,
  at: Date,
): Promise<DeliveryRow | undefined> {
  const delivery = await trx
    .updateTable('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', databaseNow)
    .set((eb) => ({ phase: 'sending', attempts: eb('attempts', '+', 1) }))
    .returningAll()
    .executeTakeFirst();
  if (delivery === undefined) return undefined;
  if (delivery.attempts > 1) {
    await trx
      .updateTable('delivery_attempts')
      .where('account_id', '=', account_id)
      .where('delivery_id', '=', delivery_id)
      .where('duration_ms', 'is', null)
      .where('error_code', 'is', null)
      .set({ error_code: 'interrupted' })
      .execute();
  }
  await trx
    .insertInto('delivery_attempts')
    .values({ account_id, delivery_id, attempt: delivery.attempts, started_at: at })
    .execute();
  return delivery;
}

/** Writes down what came of an attempt. */
export async function updateAttempt(
  trx: Database,
  { account_id, delivery_id, attempts }: DeliveryKey & Pick<DeliveryRow, 'attempts'>,
  outcome: Omit<DeliveryAttemptRow, keyof DeliveryKey | 'attempt' | 'started_at'>,
): Promise<void> {
  await trx
    .updateTable('delivery_attempts')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where('attempt', '=', attempts)
    .set(outcome)
    .execute();
}

/** What becomes of a delivery after an attempt: another one after a pause (milliseconds), or its end. */
export type AttemptEnd = { readonly pause: number } | { readonly status: 'delivered' | 'failed'; readonly at: Date };

/**
 * Ends the attempt of a delivery, and answers when the next one is due; undefined when another attempt, begun meanwhile, decides.
 *
 * What is delivered is delivered, whatever another attempt comes to.
 */
export async function endAttempt(
  trx: Database,
  { account_id, delivery_id, attempts }: DeliveryKey & Pick<DeliveryRow, 'attempts'>,
  end: AttemptEnd,
): Promise<Pick<DeliveryRow, 'next_attempt_at'> | undefined> {
  const isDelivered = 'status' in end && end.status === 'delivered';
  return trx
    .updateTable('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where('status', '=', 'pending')
    .$if(!isDelivered, (query) => query.where('phase', '=', 'sending').where('attempts', '=', attempts))
    .set(
      'pause' in end
        ? { phase: 'waiting', next_attempt_at: sql<Date>`now() + ${end.pause} * interval '1 millisecond'` }
        : { status: end.status, phase: null, next_attempt_at: null, finished_at: end.at },
    )
    .returning('next_attempt_at')
    .executeTakeFirst();
}
