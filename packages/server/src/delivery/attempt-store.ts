import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DeliveryAttemptRow, DeliveryRow } from './delivery-store.ts';

/** First number of the advisory lock of a receiver; the second is computed from its name. */
const receiverLockClass = 7005;

/** Attempts at the same time to one receiver, over all accounts and processes: one that does not answer must not take the places of all others. */
export const attemptsPerReceiver = 4;

// Jobs run by the clock of the database, so what is due is told by it too.
const databaseNow = sql<Date>`now()`;

/** A delivery by its key. */
export type DeliveryKey = Pick<DeliveryRow, 'account_id' | 'delivery_id'>;

/** The receiver of a delivery that is due; undefined when it is not (any more). */
export async function receiverOfDue(
  trx: Database,
  { account_id, delivery_id }: DeliveryKey,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', databaseNow)
    .select('receiver')
    .executeTakeFirst();
  return row?.receiver;
}

/** Lets attempts to a receiver begin and end one after the other, until the transaction ends. Take it before any row of a delivery. */
export async function lockReceiver(trx: Database, receiver: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${receiverLockClass}, hashtext(${receiver}))`.execute(trx);
}

/** Attempts under way to a receiver, for use in a statement. Receivers belong to no account: two that call the same server share its places. */
function attemptsUnderWay(receiver: string) {
  return sql<number>`(select count(*) from deliveries where receiver = ${receiver} and phase = 'sending')`;
}

/**
 * True when the receiver of a delivery has a place for an attempt: always when the delivery has one already, because the process that used it
 * was killed. The receiver must be locked.
 */
export async function hasPlace(
  trx: Database,
  { account_id, delivery_id }: DeliveryKey,
  receiver: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where((eb) => eb.or([eb('phase', '=', 'sending'), eb(attemptsUnderWay(receiver), '<', attemptsPerReceiver)]))
    .select('delivery_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Leaves a delivery that is due to whoever ends an attempt to its receiver. */
export async function parkDelivery(trx: Database, { account_id, delivery_id }: DeliveryKey): Promise<void> {
  await trx
    .updateTable('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where('status', '=', 'pending')
    .set({ phase: 'parked' })
    .execute();
}

/**
 * Takes the parked deliveries of a receiver that are due longest, as many as there are places for them, for jobs to be made of them. The
 * receiver must be locked.
 */
export async function unparkDeliveries(trx: Database, receiver: string): Promise<DeliveryKey[]> {
  return trx
    .with('longest', (db) =>
      db
        .selectFrom('deliveries')
        .where('receiver', '=', receiver)
        .where('phase', '=', 'parked')
        .select(['account_id', 'delivery_id'])
        .orderBy('next_attempt_at')
        .limit(sql<number>`greatest(0, ${attemptsPerReceiver}::int - ${attemptsUnderWay(receiver)})`),
    )
    .updateTable('deliveries')
    .from('longest')
    .whereRef('deliveries.account_id', '=', 'longest.account_id')
    .whereRef('deliveries.delivery_id', '=', 'longest.delivery_id')
    .set({ phase: 'waiting' })
    .returning(['deliveries.account_id', 'deliveries.delivery_id'])
    .execute();
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
