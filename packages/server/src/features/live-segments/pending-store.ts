import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { ChangedContacts } from './changed-inputs.ts';

/** Changed contacts that wait to be evaluated. */
export interface PendingContacts extends ChangedContacts {
  readonly pendingId: string;
  readonly changedAt: Date;
}

const insertion = `
  insert into live_pending (account_id, pending_id, changed_at, inputs, contact_ids) values ($1, $2, $3, $4, $5)`;

/** Returns the statements that store changed contacts of a batch, with the time when they run. */
export function pendingWrites(
  accountId: number,
  changed: readonly ChangedContacts[],
  { newId, now }: Pick<Context, 'newId' | 'now'>,
): Write[] {
  return changed.map(({ inputs, contactIds }) => {
    const id = newId();
    return (client) =>
      client.query({ name: 'live pending', text: insertion, values: [accountId, id, now(), inputs, contactIds] });
  });
}

// Rows of one step. Small requests that change one contact each make many rows.
const rowsPerStep = 1000;

/** Loads the oldest changed contacts, up to about `contacts` of them. The caller has the account locked. */
export async function loadPending(trx: Database, accountId: number, contacts: number): Promise<PendingContacts[]> {
  const { rows } = await sql<{ pending_id: string; changed_at: Date; inputs: string[] | null; ids: string }>`
    select pending_id, changed_at, inputs, array_to_json(contact_ids)::text as ids from (
      select *, sum(cardinality(contact_ids)) over (order by pending_id) - cardinality(contact_ids) as before
      from (select * from live_pending where account_id = ${accountId} order by pending_id limit ${rowsPerStep}) oldest
    ) counted where before < ${contacts} order by pending_id`.execute(trx);
  return rows.map(({ pending_id: pendingId, changed_at: changedAt, inputs, ids }) => ({
    pendingId,
    changedAt,
    inputs,
    contactIds: JSON.parse(ids) as number[],
  }));
}

/** Deletes changed contacts that were evaluated. */
export async function deletePending(trx: Database, accountId: number, pendingIds: readonly string[]): Promise<void> {
  if (pendingIds.length === 0) return;
  await trx
    .deleteFrom('live_pending')
    .where('account_id', '=', accountId)
    .where((eb) => eb('pending_id', '=', eb.fn.any(eb.val([...pendingIds]))))
    .execute();
}

/** Deletes all changed contacts of an account that has no live segments any more. */
export async function deleteAllPending(trx: Database, accountId: number): Promise<void> {
  await trx.deleteFrom('live_pending').where('account_id', '=', accountId).execute();
}

/** Returns when the oldest changed contact of an account changed; undefined when none waits. */
export async function oldestPending(db: Database, accountId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('live_pending')
    .where('account_id', '=', accountId)
    .select('changed_at')
    .orderBy('pending_id')
    .limit(1)
    .executeTakeFirst();
  return row?.changed_at;
}
