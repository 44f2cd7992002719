import { sql, type Selectable } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { findAccounts, readAllAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import type { IndexableType, SlotColumn } from './slot.ts';

/** A row of `attribute_slots`. */
export type SlotRow = Selectable<Tables['attribute_slots']>;

/** The slot of an account. */
export type SlotId = Pick<SlotRow, 'account_id' | 'slot'>;

/** Loads all slots of the accounts, and the slots of any account that are not filled. */
export async function loadSlots(context: Pick<Context, 'servers'>, accountIds: readonly number[]): Promise<SlotRow[]> {
  return readAllAccounts(
    context,
    ['attribute_slots'],
    ({ attribute_slots: slots }) => sql<SlotRow>`
    select * from ${slots} where state <> 'filled' or account_id = any (${[...new Set(accountIds)]}::int[])
    order by account_id, slot`,
  );
}

/** Releases the slots of attributes that do not need them anymore. Workers clear them later. */
export async function releaseSlots(
  trx: Database,
  accountId: number,
  attributeIds: readonly number[],
  at: Date,
): Promise<void> {
  await trx
    .updateTable('attribute_slots')
    .where('account_id', '=', accountId)
    .where('attribute_id', 'in', attributeIds)
    .where('state', 'in', ['filling', 'filled'])
    .set({ state: 'released', changed_at: at })
    .execute();
}

/** Returns the accounts that have slots to fill or to clear. */
export async function accountsWithSlotWork(context: Pick<Context, 'servers' | 'log'>): Promise<number[]> {
  const rows = await findAccounts(
    context,
    ['attribute_slots'],
    ({ attribute_slots: slots }) => sql<{ account_id: number }>`
    select distinct account_id from ${slots} where state in ('filling', 'clearing') order by account_id`,
  );
  return rows.map((row) => row.account_id);
}

/**
 * Loads the slots of an account that the next step of a sweep works on: those that got least far,
 * so that slots with the same position share their steps.
 */
export async function loadSlotWork(trx: Database, accountId: number): Promise<SlotRow[]> {
  const rows = await trx
    .selectFrom('attribute_slots')
    .where('account_id', '=', accountId)
    .where('state', 'in', ['filling', 'clearing'])
    .selectAll()
    .orderBy('position')
    .orderBy('slot')
    .execute();
  return rows.filter(({ position }) => position === rows[0]!.position);
}

/** Stores the contact_id up to which slots are filled or cleared. */
export async function moveSlots(
  trx: Database,
  accountId: number,
  slots: readonly SlotColumn[],
  position: number,
): Promise<void> {
  await trx
    .updateTable('attribute_slots')
    .where('account_id', '=', accountId)
    .where('slot', 'in', slots)
    .set({ position })
    .execute();
}

/** Ends the work on slots: those that were being filled are filled, and those cleared are free. */
export async function endSlotWork(
  trx: Database,
  accountId: number,
  slots: readonly SlotColumn[],
  at: Date,
): Promise<void> {
  await trx
    .updateTable('attribute_slots')
    .where('account_id', '=', accountId)
    .where('slot', 'in', slots)
    .where('state', '=', 'filling')
    .set({ state: 'filled', changed_at: at })
    .execute();
  await trx
    .deleteFrom('attribute_slots')
    .where('account_id', '=', accountId)
    .where('slot', 'in', slots)
    .where('state', '=', 'clearing')
    .execute();
}

/**
 * Gives a free slot to an attribute. The caller holds the lane of the account, so that every later
 * batch writes the slot. Does nothing if the slot was taken, or the attribute does not want it.
 */
export async function assignSlot(
  trx: Database,
  {
    accountId,
    attributeId,
    dataType,
    slot,
  }: { accountId: number; attributeId: number; dataType: IndexableType; slot: SlotColumn },
  at: Date,
): Promise<void> {
  await trx
    .insertInto('attribute_slots')
    .columns(['account_id', 'slot', 'attribute_id', 'data_type', 'state', 'position', 'changed_at'])
    .expression((eb) =>
      eb
        .selectFrom('attributes')
        .where('account_id', '=', accountId)
        .where('attribute_id', '=', attributeId)
        .where('indexed', '=', true)
        .where('data_type', '=', dataType)
        .select((one) => [
          'account_id',
          one.val(slot).as('slot'),
          'attribute_id',
          one.val(dataType).as('data_type'),
          one.val('filling' as const).as('state'),
          one.lit(0).as('position'),
          one.val(at).as('changed_at'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The changes of state of a slot outside of sweeps. */
const earlierStates = {
  /** The attribute needs the slot again. Batches have kept it complete up to its position. */
  filling: ['released'],
  /** The attribute does not need the slot anymore. */
  released: ['filling', 'filled'],
  /** No search can still read the slot. The caller holds the lane of the account. */
  clearing: ['released'],
} as const;

/** Changes the state of a slot. Does nothing if it is not in the state that comes before. */
export async function changeSlot(
  db: Database,
  { account_id: accountId, slot }: SlotId,
  state: keyof typeof earlierStates,
  at: Date,
): Promise<void> {
  await db
    .updateTable('attribute_slots')
    .where('account_id', '=', accountId)
    .where('slot', '=', slot)
    .where('state', 'in', earlierStates[state])
    .set({ state, changed_at: at, ...(state === 'clearing' ? { position: 0 } : {}) })
    .execute();
}
