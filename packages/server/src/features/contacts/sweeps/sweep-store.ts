import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { attributeKey } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';

/** A row of `sweeps`: a value to remove from all contacts of an account, or to convert in them. */
export type Sweep = Selectable<Tables['sweeps']>;

/** Loads the oldest sweep of each account. */
export async function loadSweeps(context: Pick<Context, 'servers' | 'log'>): Promise<Sweep[]> {
  return findAccounts(
    context,
    ['sweeps'],
    ({ sweeps }) => sql<Sweep>`select distinct on (account_id) * from ${sweeps} order by account_id, sweep_id`,
  );
}

/** The SQL of one step of a sweep. */
interface StepSql {
  /** Selects the next contacts: `contact_key`, `contact_id`, and whether they need the change. */
  readonly next: RawBuilder<unknown>;
  /** The assignment that changes these contacts. */
  readonly change: RawBuilder<unknown>;
}

function stepSql(sweep: Sweep, sweeps: readonly Sweep[], size: number): StepSql {
  const { kind, account_id: accountId, target_id: target, position } = sweep;
  const key = sql`${attributeKey(accountId, target)}::text`;
  const keys = sql`${sweeps.map(({ target_id: id }) => attributeKey(accountId, id))}::text[]`;
  // No index finds the contacts with any value of an attribute, so these sweeps read all contacts.
  const walk = (needsChange: RawBuilder<SqlBool>) => sql`
    select contact_key, contact_id, coalesce(${needsChange}, false) as needs_change from contacts
    where account_id = ${accountId} and contact_id > ${position} order by contact_id limit ${size}`;
  switch (kind) {
    case 'list':
      return {
        // Needs no position: a changed contact does not match again.
        next: sql`
          select contact_key, contact_id, true as needs_change from contacts
          where account_id = ${accountId} and list_ids && array[${target}::int] limit ${size}`,
        change: sql`list_ids = array_remove(c.list_ids, ${target}::int)`,
      };
    case 'attribute':
      return { next: walk(sql`attributes ?| ${keys}`), change: sql`attributes = c.attributes - ${keys}` };
    case 'widening':
      return {
        next: walk(sql`jsonb_typeof(attributes->${key}) in ('number', 'boolean')`),
        // Not jsonb_build_object: a cluster requires immutable functions in updates.
        change: sql`attributes = c.attributes || jsonb_object(array[${key}], array[c.attributes->>${key}])`,
      };
  }
}

/** Maximum number of deleted attributes in a step. Each is looked for in every contact. */
const attributesPerStep = 1000;

/**
 * Returns the sweeps that are done together in one step. Deleted attributes share their steps:
 * otherwise deleting a hundred attributes would read all contacts a hundred times.
 */
async function sweepsOfStep(trx: Database, sweep: Sweep): Promise<Sweep[]> {
  if (sweep.kind !== 'attribute') return [sweep];
  return trx
    .selectFrom('sweeps')
    .where('account_id', '=', sweep.account_id)
    .where('kind', '=', 'attribute')
    .where('sweep_id', '>=', sweep.sweep_id)
    .selectAll()
    .orderBy('sweep_id')
    .limit(attributesPerStep)
    .execute();
}

/**
 * Does one step of a sweep: reads the next `size` contacts and changes those that need it. The
 * caller holds the lane of the account. Returns:
 * - `stepped`: the sweeps that made progress. Empty when the sweep has already ended.
 * - `last`: the last contact_id of the step, or null when no contacts were left.
 *
 * If an attribute is deleted while another sweep runs, the step also removes the new attribute, so
 * that it writes each contact once. But the new sweep has not seen the earlier contacts. So it is
 * not in `stepped`, and starts from the first contact later.
 */
export async function sweepStep(
  trx: Database,
  accountId: number,
  sweepId: number,
  size: number,
): Promise<{ stepped: Sweep[]; last: number | null }> {
  const current = await trx
    .selectFrom('sweeps')
    .where('account_id', '=', accountId)
    .where('sweep_id', '=', sweepId)
    .selectAll()
    .executeTakeFirst();
  if (current === undefined) return { stepped: [], last: null };
  const sweeps = await sweepsOfStep(trx, current);
  const { next, change } = stepSql(current, sweeps, size);
  const { rows } = await sql<{ last: number | null }>`
    with step as materialized (${next}), changed as (
      update contacts c set ${change} from step
      where step.needs_change and c.account_id = ${opaqueAccount(accountId)} and c.contact_key = step.contact_key
    )
    select max(contact_id) as last from step`.execute(trx);
  return { stepped: sweeps.filter(({ position }) => position === current.position), last: rows[0]!.last };
}

/** Stores the position of sweeps: the contact_id up to which they are done. */
export async function moveSweeps(
  trx: Database,
  accountId: number,
  sweeps: readonly Sweep[],
  position: number,
): Promise<void> {
  await trx
    .updateTable('sweeps')
    .where('account_id', '=', accountId)
    .where('sweep_id', 'in', sweeps.map(idOf))
    .set({ position })
    .execute();
}

/** Ends sweeps. An attribute whose values are now all text is no longer marked as widened. */
export async function endSweeps(trx: Database, accountId: number, sweeps: readonly Sweep[]): Promise<void> {
  await trx
    .deleteFrom('sweeps')
    .where('account_id', '=', accountId)
    .where('sweep_id', 'in', sweeps.map(idOf))
    .execute();
  const widened = sweeps.filter(({ kind }) => kind === 'widening').map(({ target_id: id }) => id);
  if (widened.length === 0) return;
  await trx
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', 'in', widened)
    .set({ widened_from: null })
    .execute();
}

function idOf({ sweep_id: id }: Sweep): number {
  return id;
}
