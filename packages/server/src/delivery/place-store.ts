import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { DeliveryKey } from './attempt-store.ts';
import type { DeliveryRow } from './delivery-store.ts';

/** Attempts at the same time to one receiver, over all accounts and processes: one that does not answer must not take the places of all others. */
export const attemptsPerReceiver = 4;

/**
 * Attempts at the same time of one account, over all processes: a third of what one process makes at once, so that an account whose receivers
 * do not answer, however many they are, leaves room for the callbacks of others.
 */
export const attemptsPerAccount = 8;

/** Whose places an attempt takes: those of its account and those of its receiver. */
export type PlaceOwners = Pick<DeliveryRow, 'account_id' | 'receiver'>;

type Owner = keyof PlaceOwners;

const places = { account_id: attemptsPerAccount, receiver: attemptsPerReceiver } as const;

/** First numbers of the advisory locks of a receiver and of an account; the second is computed from the name, or is the number. */
const lockClasses = { receiver: 7005, account: 7006 } as const;

/**
 * Lets attempts of an account, and those to a receiver, begin and end one after the other, until the transaction ends. Take it before any row
 * of a delivery.
 */
export async function lockPlaces(trx: Database, { account_id, receiver }: PlaceOwners): Promise<void> {
  // Always in this order, so that two attempts never wait for each other.
  await sql`select pg_advisory_xact_lock(${lockClasses.account}::int, ${account_id}::int)`.execute(trx);
  await sql`select pg_advisory_xact_lock(${lockClasses.receiver}::int, hashtext(${receiver}))`.execute(trx);
}

/** Attempts under way of an account or to a receiver, for use in a statement. Two accounts that call the same server share its places. */
function underWay(owner: Owner, value: unknown) {
  return sql<number>`(select count(*) from deliveries s where s.${sql.ref(owner)} = ${value} and s.phase = 'sending')`;
}

/**
 * True when a delivery has a place for an attempt: always when it has one already, because the process that used it was killed. The places
 * must be locked.
 */
export async function hasPlace(
  trx: Database,
  { delivery_id }: DeliveryKey,
  { account_id, receiver }: PlaceOwners,
): Promise<boolean> {
  const row = await trx
    .selectFrom('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where((eb) =>
      eb.or([
        eb('phase', '=', 'sending'),
        eb.and([
          eb(underWay('account_id', account_id), '<', attemptsPerAccount),
          eb(underWay('receiver', receiver), '<', attemptsPerReceiver),
        ]),
      ]),
    )
    .select('delivery_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Leaves a delivery, if it is due, to whoever ends an attempt of its account or to its receiver. */
export async function parkDelivery(trx: Database, { account_id, delivery_id }: DeliveryKey): Promise<void> {
  await trx
    .updateTable('deliveries')
    .where('account_id', '=', account_id)
    .where('delivery_id', '=', delivery_id)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', sql<Date>`now()`)
    .set({ phase: 'parked' })
    .execute();
}

/**
 * Takes the parked deliveries that get the free places of an account and of a receiver, for jobs to be made of them.
 *
 * Call it in a transaction that begins after the attempt has ended, or the delivery was parked, for good. A parked delivery needs two places,
 * and those who free them hold different locks: only a look after the commit makes sure that the later of the two sees both.
 */
export async function unparkDeliveries(trx: Database, owners: PlaceOwners): Promise<DeliveryKey[]> {
  // What this receiver has free is given out among all accounts below, so not here; and what this account gets here it does not get below.
  const elsewhere = await unpark(trx, owners, 'account_id', 'receiver', attemptsPerReceiver);
  return [...elsewhere, ...(await unpark(trx, owners, 'receiver', 'account_id', elsewhere.length))];
}

/**
 * Takes parked deliveries of one owner, as many as it has free places. The parties that wait there, receivers of an account or accounts at a
 * receiver, are the owners of the other kind; of the one among `owners`, `kept` places are not free.
 *
 * Parties get places in turn: the one with the fewest attempts under way first, and by lot among equals, so that nobody gets more for having
 * queued more, or earlier. Of one party the delivery that is due longest goes first. The parties are found one after the other in the index:
 * the number of parked deliveries does not count, and that can be a hundred thousand.
 */
async function unpark(
  trx: Database,
  owners: PlaceOwners,
  owner: Owner,
  party: Owner,
  kept: number,
): Promise<DeliveryKey[]> {
  const value = owners[owner];
  const [own, other] = [sql.ref(owner), sql.ref(party)];
  const parked = sql`from deliveries d where d.${own} = ${value} and d.phase = 'parked'`;
  const { rows } = await sql<DeliveryKey>`
    with recursive parties as (
      (select d.${other} as party ${parked} order by d.${other} limit 1)
      union all
      select (select d.${other} ${parked} and d.${other} > parties.party order by d.${other} limit 1)
      from parties where parties.party is not null
    ), next as (
      select queue.account_id, queue.delivery_id
      from parties
      cross join lateral (
        select count(*) as everywhere, count(*) filter (where s.${own} = ${value}) as here
        from deliveries s where s.${other} = parties.party and s.phase = 'sending'
      ) as under_way
      cross join lateral (
        select d.account_id, d.delivery_id, row_number() over (order by d.next_attempt_at) as turn
        ${parked} and d.${other} = parties.party
        order by d.next_attempt_at
        limit greatest(0, ${places[party]}::int - under_way.everywhere
          - case when parties.party = ${owners[party]} then ${kept}::int else 0 end)
      ) as queue
      order by under_way.here + queue.turn, random()
      limit greatest(0, ${places[owner]}::int - ${underWay(owner, value)})
    ), free as (
      -- One that somebody else takes at this moment is left to them.
      select d.account_id, d.delivery_id from deliveries d join next using (account_id, delivery_id)
      where d.phase = 'parked' for update of d skip locked
    )
    update deliveries set phase = 'waiting' from free
    where deliveries.account_id = free.account_id and deliveries.delivery_id = free.delivery_id
    returning deliveries.account_id, deliveries.delivery_id`.execute(trx);
  return rows;
}
