import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { kindOfSlot, slotSql, type SlotColumn } from '#features/registry/slots/slot.ts';
import { foldedSlot, isCutOff } from '#features/search/filter/slot-sql.ts';

/** An index or extended statistics on a slot. */
export interface Definition {
  readonly kind: 'index' | 'statistics';
  /** The name in the database. Definitions that differ must have different names. */
  readonly name: string;
  /** The part of the CREATE statement after the name. */
  readonly on: RawBuilder<unknown>;
}

/** Matches the names of all definitions, and of interrupted rebuilds. A POSIX regular expression. */
export const namePattern = '^contacts_(number|text)_[0-9]+($|_)';

// Kilobytes of new entries that wait to be sorted into the index for parts of texts. Every search
// reads all of them.
const pendingList = 256;

/**
 * Returns the definitions of a slot, statistics first. All accounts share them
 * (docs/decisions/0037-attribute-slots.md):
 *
 * - An index for ranges, equality and both sort directions. PostgreSQL counts and sorts with it
 *   alone.
 * - Only for texts: an index of the parts of texts, for `contains` and similar conditions in any
 *   letter case, with statistics; and an index of the contacts whose slot has only the beginning of
 *   the text, usually none.
 */
export function definitionsOf(slot: SlotColumn): Definition[] {
  const column = slotSql(slot);
  const inUse = sql<SqlBool>`${column} is not null`;
  const name = (kind: string): string => `contacts_${slot}${kind}`;
  const index = (kind: string, on: RawBuilder<unknown>, where = inUse): Definition => ({
    kind: 'index',
    name: name(kind),
    on: sql`on contacts ${on} where ${where}`,
  });
  const values = index('', sql`(account_id, ${sql.ref(slot)}, contact_id)`);
  if (kindOfSlot(slot) === 'number') return [values];
  const folded = foldedSlot(slot);
  return [
    { kind: 'statistics', name: name('_folded'), on: sql`on (${folded}) from contacts` },
    values,
    index(
      '_parts',
      sql`using gin (account_id, (${folded}) gin_trgm_ops) with (gin_pending_list_limit = ${sql.lit(pendingList)})`,
    ),
    index('_cut', sql`(account_id)`, isCutOff(column)),
  ];
}
