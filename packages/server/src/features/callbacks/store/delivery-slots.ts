import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { inOneMessage, withoutWaitingForDisk } from '#platform/database/statements/one-message.ts';
import { deliveryJobs, type DeliveryKey, type DeliveryRow } from './delivery-store.ts';

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

/**
 * The statement that lets attempts of the account of a delivery, and those to its receiver, begin one after the other until the transaction
 * ends. The places are to be counted by a statement behind it, which sees what others have begun meanwhile. Take it before any row of a delivery.
 */
export function lockPlaces({ account_id, delivery_id }: DeliveryKey): RawBuilder<unknown> {
  // Always in this order, so that two attempts never wait for each other.
  return sql`
    select pg_advisory_xact_lock(${advisoryLocks.deliveryAccount}::int, account_id), pg_advisory_xact_lock(${advisoryLocks.deliveryReceiver}::int, hashtext(receiver))
    from deliveries where account_id = ${account_id} and delivery_id = ${delivery_id}`;
}

/** Attempts under way of an account or to a receiver, for use in a statement. Two accounts that call the same server share its places. */
function underWay(owner: Owner, value: unknown) {
  return sql<number>`(select count(*) from deliveries s where s.${sql.ref(owner)} = ${value} and s.phase = 'sending')`;
}

/**
 * True when the delivery `d` of a statement has a place for an attempt: always when it has one already, because the process that used it was
 * killed. The places must be locked.
 */
export const hasPlace = sql<boolean>`(
  d.phase = 'sending' or (
    ${underWay('account_id', sql.ref('d.account_id'))} < ${attemptsPerAccount}::int
    and ${underWay('receiver', sql.ref('d.receiver'))} < ${attemptsPerReceiver}::int))`;

/** The statement that answers whether any delivery is parked of an account or for a receiver, as `waits`. */
export function othersWait({ account_id, receiver }: PlaceOwners): RawBuilder<{ readonly waits: boolean }> {
  return sql`
    select exists (select from deliveries where account_id = ${account_id} and phase = 'parked')
      or exists (select from deliveries where receiver = ${receiver} and phase = 'parked') as waits`;
}

/**
 * Gives the free places of an account and of a receiver to parked deliveries, and makes their jobs.
 *
 * It has to begin after the attempt has ended, or the delivery was parked, for good. A parked delivery needs two places, and those who free
 * them do not wait for each other: only a look after the commit makes sure that the later of the two sees both. It does not wait for the disk: a
 * crash that loses it loses the end of the job too, whose next run passes the places on.
 */
export async function passPlacesOn(pool: pg.Pool, owners: PlaceOwners): Promise<void> {
  // What this receiver has free is given out among all accounts, so not in `elsewhere`; and what this account gets there it does not get in `here`.
  const pass = sql`
    with elsewhere as materialized (
      ${freed(owners, 'account_id', 'receiver', sql`${attemptsPerReceiver}::int`)}
    ), here as materialized (
      ${freed(owners, 'receiver', 'account_id', sql`(select count(*) from elsewhere)`)}
    ), freed as (
      select * from elsewhere union all select * from here
    ), unparked as (
      update deliveries d set phase = 'waiting' from freed
      where d.account_id = freed.account_id and d.delivery_id = freed.delivery_id
      returning d.account_id, d.delivery_id, null::timestamptz as run_at
    ) ${deliveryJobs(sql`unparked`)}`;
  await inOneMessage(pool, [[withoutWaitingForDisk, pass]]);
}

/**
 * The query that locks parked deliveries of one owner, as many as it has free places. The parties that wait there, receivers of an account or
 * accounts at a receiver, are the owners of the other kind; of the one among `owners`, `kept` places are not free.
 *
 * Parties get places in turn: the one with the fewest attempts under way first, and by lot among equals, so that nobody gets more for having
 * queued more, or earlier. Of one party the delivery that is due longest goes first. The parties are found one after the other in the index:
 * the number of parked deliveries does not count, and that can be a hundred thousand.
 */
function freed(owners: PlaceOwners, owner: Owner, party: Owner, kept: RawBuilder<unknown>): RawBuilder<DeliveryKey> {
  const value = owners[owner];
  const [own, other] = [sql.ref(owner), sql.ref(party)];
  const parked = sql`from deliveries d where d.${own} = ${value} and d.phase = 'parked'`;
  return sql`
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
          - case when parties.party = ${owners[party]} then ${kept} else 0 end)
      ) as queue
      order by under_way.here + queue.turn, random()
      limit greatest(0, ${places[owner]}::int - ${underWay(owner, value)})
    )
    -- One that somebody else takes at this moment is left to them.
    select d.account_id, d.delivery_id from deliveries d join next using (account_id, delivery_id)
    where d.phase = 'parked' for update of d skip locked`;
}
