import type { DataType } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import type { SlotColumn, SlotKind } from '#platform/database/schema/tables/slots.ts';

export type { SlotColumn, SlotKind };

/** Number of slots of each kind. An account cannot have more indexed attributes. */
const slotsOfKind = 20;

/** Data types whose values can be indexed. */
export type IndexableType = Exclude<DataType, 'long_text'>;

/** False for `long_text`, which has no operations that need an index. */
export function isIndexable(dataType: DataType): dataType is IndexableType {
  return dataType !== 'long_text';
}

/** Returns the kind of the slots that have the values of a data type. */
export function slotKindOf(dataType: IndexableType): SlotKind {
  return dataType === 'text' ? 'text' : 'number';
}

/** All slots of a kind, in the order in which they are used. */
export const slotColumns: Readonly<Record<SlotKind, readonly SlotColumn[]>> = {
  number: columnsOf('number'),
  text: columnsOf('text'),
};

function columnsOf(kind: SlotKind): SlotColumn[] {
  return Array.from({ length: slotsOfKind }, (_, index) => `${kind}_${index + 1}` as SlotColumn);
}

/** Returns the kind of a slot. */
export function kindOfSlot(slot: SlotColumn): SlotKind {
  return slot.startsWith('text') ? 'text' : 'number';
}

/** A slot that has the values of an attribute of an account. */
export interface UsedSlot {
  readonly slot: SlotColumn;
  /** Key of the attribute in `contacts.attributes`. */
  readonly key: string;
  /** The data type whose values the slot has. */
  readonly dataType: IndexableType;
}

/**
 * SQL: the slots that a batch writes, as a JSON array. Parameter 1 is the account. A slot that is
 * being cleared is left out.
 */
export const writtenSlotsSql = (
  table: string,
): string => `(select json_agg(json_build_object('slot', slot, 'key', account_id || '.' || attribute_id, 'dataType', data_type) order by slot)
    from ${table} where account_id = $1 and state <> 'clearing')`;

/** Makes the SQL of a slot, on the table or alias `contacts`. */
export function slotSql(slot: SlotColumn): RawBuilder<unknown> {
  return sql.ref(`contacts.${slot}`);
}
