import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { attributeKey } from '../attributes/registry.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';

/** A row of `sweeps`: something to take out of the contacts of an account, or to turn into another form. */
export type Sweep = Selectable<Tables['sweeps']>;

/** The oldest sweep of each account. */
export async function loadSweeps(db: Database): Promise<Sweep[]> {
  return db
    .selectFrom('sweeps')
    .distinctOn('account_id')
    .selectAll()
    .orderBy('account_id')
    .orderBy('sweep_id')
    .execute();
}

/** How a sweep does its steps. */
interface SweepKind {
  /** The next contacts: `contact_key`, `contact_id`, and whether they are `concerned`. */
  readonly next: RawBuilder<unknown>;
  /** What is done with those that are. */
  readonly change: RawBuilder<unknown>;
}

function kindOf({ kind, account_id: accountId, target_id: target, position }: Sweep, size: number): SweepKind {
  const key = sql`${attributeKey(accountId, target)}::text`;
  // No index finds the contacts that have some value of an attribute, so these walk through all of them.
  const walk = (concerned: RawBuilder<SqlBool>) => sql`
    select contact_key, contact_id, coalesce(${concerned}, false) as concerned from contacts
    where account_id = ${accountId} and contact_id > ${position} order by contact_id limit ${size}`;
  switch (kind) {
    case 'list':
      return {
        // Those that are done are not found again.
        next: sql`
          select contact_key, contact_id, true as concerned from contacts
          where account_id = ${accountId} and list_ids && array[${target}::int] limit ${size}`,
        change: sql`list_ids = array_remove(c.list_ids, ${target}::int)`,
      };
    case 'attribute':
      return { next: walk(sql`attributes ? ${key}`), change: sql`attributes = c.attributes - ${key}` };
    case 'widening':
      return {
        next: walk(sql`jsonb_typeof(attributes->${key}) in ('number', 'boolean')`),
        change: sql`attributes = c.attributes || jsonb_build_object(${key}, c.attributes->>${key})`,
      };
  }
}

/**
 * Changes the contacts among the next `size` that a sweep concerns. `current` is the sweep, undefined when it is over; `last` the contact_id
 * of the last contact of the step, null when there were none left. The lane of the account must be held.
 */
export async function sweepStep(
  trx: Database,
  accountId: number,
  sweepId: number,
  size: number,
): Promise<{ current: Sweep | undefined; last: number | null }> {
  const current = await trx
    .selectFrom('sweeps')
    .where('account_id', '=', accountId)
    .where('sweep_id', '=', sweepId)
    .selectAll()
    .executeTakeFirst();
  if (current === undefined) return { current, last: null };
  const { next, change } = kindOf(current, size);
  const { rows } = await sql<{ last: number | null }>`
    with step as materialized (${next}), changed as (
      update contacts c set ${change} from step
      where step.concerned and c.account_id = ${accountId} and c.contact_key = step.contact_key
    )
    select max(contact_id) as last from step`.execute(trx);
  return { current, last: rows[0]!.last };
}

/** Notes up to where a sweep has come. */
export async function moveSweep(trx: Database, { account_id, sweep_id }: Sweep, position: number): Promise<void> {
  await trx
    .updateTable('sweeps')
    .where('account_id', '=', account_id)
    .where('sweep_id', '=', sweep_id)
    .set({ position })
    .execute();
}

/** Ends a sweep; an attribute whose values are all text now needs no more care. */
export async function endSweep(trx: Database, { account_id, sweep_id, kind, target_id }: Sweep): Promise<void> {
  await trx.deleteFrom('sweeps').where('account_id', '=', account_id).where('sweep_id', '=', sweep_id).execute();
  if (kind !== 'widening') return;
  await trx
    .updateTable('attributes')
    .where('account_id', '=', account_id)
    .where('attribute_id', '=', target_id)
    .set({ widened_from: null })
    .execute();
}
