import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { inOneMessage, withoutWaitingForDisk } from '#platform/database/statements/one-message.ts';
import { deliveryJobs, type DeliveryKey, type DeliveryRow } from './delivery-store.ts';

/**
 * Maximum concurrent attempts to one receiver, in all accounts and processes. A receiver that does
 * not respond must not use up all slots.
 */
export const attemptsPerReceiver = 4;

/**
 * Maximum concurrent attempts of one account, in all processes. This is a third of the attempts of
 * one process, so an account with many dead receivers does not block other accounts.
 */
export const attemptsPerAccount = 8;

/** The account and the receiver whose slots an attempt takes. */
export type SlotOwners = Pick<DeliveryRow, 'account_id' | 'receiver'>;

type Owner = keyof SlotOwners;

const slots = { account_id: attemptsPerAccount, receiver: attemptsPerReceiver } as const;

/**
 * The statement that locks the slots of the account and the receiver of a delivery until the
 * transaction ends. Run it before you lock a row of a delivery. Count the slots in a later
 * statement, which sees the attempts that began while this statement waited.
 */
export function lockSlots({ account_id, delivery_id }: DeliveryKey): RawBuilder<unknown> {
  // Always lock in this order, so that two attempts cannot deadlock.
  return sql`
    select pg_advisory_xact_lock(${advisoryLocks.deliveryAccount}::int, account_id), pg_advisory_xact_lock(${advisoryLocks.deliveryReceiver}::int, hashtext(receiver))
    from deliveries where account_id = ${account_id} and delivery_id = ${delivery_id}`;
}

/** Counts the running attempts of an account, or to a receiver (in all accounts). */
function runningAttempts(owner: Owner, value: unknown) {
  return sql<number>`(select count(*) from deliveries s where s.${sql.ref(owner)} = ${value} and s.phase = 'sending')`;
}

/**
 * The condition that the delivery `d` of a statement may begin an attempt. A delivery whose process
 * was killed during an attempt still has its slot. The slots must be locked.
 */
export const hasSlot = sql<boolean>`(
  d.phase = 'sending' or (
    ${runningAttempts('account_id', sql.ref('d.account_id'))} < ${attemptsPerAccount}::int
    and ${runningAttempts('receiver', sql.ref('d.receiver'))} < ${attemptsPerReceiver}::int))`;

/**
 * The statement whose column `parked` tells whether an account or a receiver has parked deliveries.
 */
export function othersParked({ account_id, receiver }: SlotOwners): RawBuilder<{ readonly parked: boolean }> {
  return sql`
    select exists (select 1 from deliveries where account_id = ${account_id} and phase = 'parked')
      or exists (select 1 from deliveries where receiver = ${receiver} and phase = 'parked') as parked`;
}

/**
 * Gives the free slots of an account and of a receiver to parked deliveries, and adds their jobs.
 *
 * Call it after the commit that ended an attempt or parked a delivery. A parked delivery needs two
 * slots, and two attempts can free one each at the same time. Only a query after both commits sees
 * both free slots. The transaction does not wait for the disk: a crash that loses it also loses the
 * end of the job, so the job runs again.
 */
export async function giveSlotsToParked(pool: pg.Pool, owners: SlotOwners): Promise<void> {
  // Both parts could find the same delivery of this account to this receiver. Therefore `elsewhere`
  // runs first, and `here` keeps as many slots as `elsewhere` took.
  const pass = sql`
    with elsewhere as materialized (
      ${nextParked(owners, 'account_id', 'receiver', sql`${attemptsPerReceiver}::int`)}
    ), here as materialized (
      ${nextParked(owners, 'receiver', 'account_id', sql`(select count(*) from elsewhere)`)}
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
 * The query that locks parked deliveries of one owner, as many as the owner has free slots.
 *
 * The slots of an owner are shared fairly between its parties: the receivers of an account, or the
 * accounts of a receiver.
 *
 * - The party with the fewest running attempts comes first. Between equal parties, the choice is
 *   random. A party gets no more slots by having more or older deliveries.
 * - Within a party, the oldest delivery comes first.
 * - `kept` slots of the other owner in `owners` are not given away.
 *
 * Each party is found with one index look-up, so the time does not depend on the number of parked
 * deliveries. There can be a hundred thousand.
 */
function nextParked(
  owners: SlotOwners,
  owner: Owner,
  party: Owner,
  kept: RawBuilder<unknown>,
): RawBuilder<DeliveryKey> {
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
        limit greatest(0, ${slots[party]}::int - under_way.everywhere
          - case when parties.party = ${owners[party]} then ${kept} else 0 end)
      ) as queue
      order by under_way.here + queue.turn, random()
      limit greatest(0, ${slots[owner]}::int - ${runningAttempts(owner, value)})
    )
    -- Skip deliveries that another transaction is passing a slot to.
    select d.account_id, d.delivery_id from deliveries d join next using (account_id, delivery_id)
    where d.phase = 'parked' for update of d skip locked`;
}
