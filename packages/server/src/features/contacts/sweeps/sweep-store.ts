import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { attributeKey } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

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

function kindOf(sweep: Sweep, beside: readonly Sweep[], size: number): SweepKind {
  const { kind, account_id: accountId, target_id: target, position } = sweep;
  const key = sql`${attributeKey(accountId, target)}::text`;
  const keys = sql`${beside.map(({ target_id: id }) => attributeKey(accountId, id))}::text[]`;
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
      return { next: walk(sql`attributes ?| ${keys}`), change: sql`attributes = c.attributes - ${keys}` };
    case 'widening':
      return {
        next: walk(sql`jsonb_typeof(attributes->${key}) in ('number', 'boolean')`),
        change: sql`attributes = c.attributes || jsonb_build_object(${key}, c.attributes->>${key})`,
      };
  }
}

/** Most deleted attributes that a step takes out: each is looked for in every contact. */
const attributesPerStep = 1000;

/**
 * The sweeps that a step does as one. Deleted attributes are taken out together, or a hundred of them would be a hundred walks through all
 * contacts. A sweep of another kind is alone.
 */
async function sweepsBeside(trx: Database, sweep: Sweep): Promise<Sweep[]> {
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
 * Changes the contacts among the next `size` that a sweep concerns. `stepped` are the sweeps that these contacts were the next of: none when
 * the sweep is over. `last` is the contact_id of the last contact of the step, null when there were none left. The lane of the account must
 * be held.
 *
 * An attribute that was deleted while the walk was under way is taken out of the contacts that the walk still meets, so that they are written
 * once. It is not among `stepped`: it has a walk of its own afterwards, which it shares with all others that came meanwhile.
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
  const beside = await sweepsBeside(trx, current);
  const { next, change } = kindOf(current, beside, size);
  const { rows } = await sql<{ last: number | null }>`
    with step as materialized (${next}), changed as (
      update contacts c set ${change} from step
      where step.concerned and c.account_id = ${opaqueAccount(accountId)} and c.contact_key = step.contact_key
    )
    select max(contact_id) as last from step`.execute(trx);
  return { stepped: beside.filter(({ position }) => position === current.position), last: rows[0]!.last };
}

/** Notes up to where sweeps of an account have come. */
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

/** Ends sweeps of an account; attributes whose values are all text now need no more care. */
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
