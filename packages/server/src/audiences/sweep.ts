import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { lockLane } from '../requests/lane.ts';

// Contacts a transaction: short enough that the pipeline of the account hardly waits for its lane.
const contactsPerStep = 1000;

/** Takes what was deleted out of the contacts, in small steps that each hold the lane of the account only shortly. */
export async function sweepContacts(context: Context, signal: AbortSignal): Promise<void> {
  const sweeps = await context.db.selectFrom('sweeps').selectAll().orderBy('sweep_id').limit(100).execute();
  for (const sweep of sweeps) {
    while (!signal.aborted) {
      const done = await context.db.transaction().execute(async (trx) => {
        await lockLane(trx, sweep.account_id);
        const changed = await removeMemberships(trx, sweep.account_id, sweep.target_id);
        if (changed > 0) return false;
        await trx
          .deleteFrom('sweeps')
          .where('account_id', '=', sweep.account_id)
          .where('sweep_id', '=', sweep.sweep_id)
          .execute();
        return true;
      });
      if (done) break;
    }
  }
}

async function removeMemberships(trx: Database, accountId: number, listId: number): Promise<number> {
  const result = await sql`
    update contacts c set list_ids = array_remove(c.list_ids, ${listId})
    from (
      select contact_key from contacts
      where account_id = ${accountId} and list_ids && array[${listId}::int] limit ${contactsPerStep}
    ) m
    where c.account_id = ${accountId} and c.contact_key = m.contact_key`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}
