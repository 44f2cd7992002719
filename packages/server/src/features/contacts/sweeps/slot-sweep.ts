import { sql } from 'kysely';
import { attributeKey, type StoredValue } from '#features/registry/registry.ts';
import { endSlotWork, loadSlotWork, moveSlots, type SlotRow } from '#features/registry/slots/slot-store.ts';
import { slotValue } from '#features/registry/slots/slot-value.ts';
import { kindOfSlot } from '#features/registry/slots/slot.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import { lockLane } from '#pipeline/queue/lane.ts';

/** A contact with the values of the attributes of the slots, in the same order as the slots. */
interface ContactRow {
  readonly contact_key: string;
  readonly contact_id: number;
  readonly values: readonly (StoredValue | null)[];
}

/**
 * Does one step for the slots of an account: fills or clears them in the next `contacts` contacts,
 * in the order of contact_id.
 *
 * A step is one transaction that holds the lane and also stores its position, so it can be killed
 * at any point. Batches write the slots that are being filled, so contacts that are created or
 * changed before or after their step have the right values, too.
 */
export async function stepSlots(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: number,
  contacts: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    const slots = await loadSlotWork(trx, accountId);
    if (slots.length === 0) return;
    const columns = slots.map(({ slot }) => slot);
    const rows = await nextContacts(trx, accountId, slots, contacts);
    if (rows.length === 0) return endSlotWork(trx, accountId, columns, now());
    await writeSlots(trx, accountId, slots, rows);
    await moveSlots(trx, accountId, columns, rows.at(-1)!.contact_id);
  });
}

async function nextContacts(
  trx: Database,
  accountId: number,
  slots: readonly SlotRow[],
  limit: number,
): Promise<readonly ContactRow[]> {
  const values = slots.map(({ attribute_id: id }) => sql`attributes->${sql.lit(attributeKey(accountId, id))}`);
  const { rows } = await sql<ContactRow>`
    select contact_key, contact_id, jsonb_build_array(${sql.join(values)}) as values from contacts
    where account_id = ${accountId} and contact_id > ${slots[0]!.position} order by contact_id limit ${limit}`.execute(
    trx,
  );
  return rows;
}

async function writeSlots(
  trx: Database,
  accountId: number,
  slots: readonly SlotRow[],
  rows: readonly ContactRow[],
): Promise<void> {
  const columns = slots.map(({ slot, state, data_type: dataType }, at) => {
    const type = kindOfSlot(slot) === 'number' ? sql`double precision` : sql`text`;
    const texts = arrayLiteral(rows, ({ values }) => (state === 'clearing' ? null : slotValue(dataType, values[at])));
    return { name: sql.ref(slot), texts, value: sql`u.${sql.ref(slot)}::${type}` };
  });
  // Each column is passed as text[] and cast, as batches do it.
  await sql`
    update contacts c set ${sql.join(columns.map(({ name, value }) => sql`${name} = ${value}`))}
    from unnest(${arrayLiteral(rows, (row) => row.contact_key)}::text[], ${sql.join(columns.map(({ texts }) => sql`${texts}::text[]`))})
      as u (contact_key, ${sql.join(columns.map(({ name }) => name))})
    where c.account_id = ${opaqueAccount(accountId)} and c.contact_key = u.contact_key
      and (${sql.join(
        columns.map(({ name, value }) => sql`c.${name} is distinct from ${value}`),
        sql` or `,
      )})`.execute(trx);
}
