import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import {
  isComparablePattern,
  isWhole,
  noValue,
  slotCharacters,
  slotValue,
} from '#features/registry/slots/slot-value.ts';
import { kindOfSlot, slotSql, type IndexableType, type SlotColumn } from '#features/registry/slots/slot.ts';
import type { FieldSql, IndexedSql } from './field-sql.ts';

/** The parts of {@link FieldSql} for an attribute without a slot. */
type UnindexedSql = Pick<FieldSql, 'equalsAny' | 'text'>;

/**
 * Makes the SQL of an indexed attribute with the slot that has its values.
 *
 * The conditions match the same contacts as those on the attributes themselves. A text slot can
 * have only the beginning of a text. Then the text itself decides.
 */
export function slotConditions(
  slot: SlotColumn,
  dataType: IndexableType,
  { equalsAny, text: wholeText }: UnindexedSql,
): Pick<FieldSql, 'equalsAny' | 'isNull' | 'isNotNull' | 'like' | 'indexed'> {
  const column = slotSql(slot);
  const kind = kindOfSlot(slot);
  const type = kind === 'number' ? sql`double precision` : sql`text`;
  const none = sql`${sql.lit(noValue[kind])}::${type}`;
  const parameter = (value: StoredValue) => sql`${slotValue(dataType, value)}::${type}`;
  const indexed: IndexedSql = {
    slot: column,
    dataType,
    parameter,
    hasValue: sql`${column} < ${none}`,
    hasNone: sql`${column} = ${none}`,
    valueOrNull: sql`nullif(${column}, ${none})`,
    compare(operator, bound) {
      const comparison = sql<SqlBool>`${column} ${sql.raw(operator)} ${parameter(bound)}`;
      // Contacts without a value come after all others.
      return operator.startsWith('>') ? sql`(${comparison} and ${column} < ${none})` : comparison;
    },
    ...(kind === 'text' ? { cutOff: isCutOff(column) } : {}),
  };
  const conditions = {
    isNull: indexed.hasNone,
    isNotNull: indexed.hasValue,
    indexed,
    equalsAny(values: readonly StoredValue[]): RawBuilder<SqlBool> {
      if (kind === 'text' && !values.every((value) => isWhole(String(value)))) return equalsAny(values);
      const slots = values.map((value) => slotValue(dataType, value));
      return slots.length === 1 ? sql`${column} = ${slots[0]}::${type}` : sql`${column} = any(${slots}::${type}[])`;
    },
  };
  if (kind === 'number') return conditions;
  const cutOff = isCutOff(column);
  return {
    ...conditions,
    like(pattern) {
      const whole = sql<SqlBool>`lower(${wholeText}) like lower(${pattern}::text)`;
      if (!isComparablePattern(pattern)) return whole;
      // Both sides of the `or` have an index, so PostgreSQL can use both.
      return sql`((${foldedSlot(slot)} like lower(${pattern}::text) and not ${cutOff}) or (${cutOff} and ${whole}))`;
    },
  };
}

/** The text of a slot in lower case. The index for parts of texts has this expression. */
export function foldedSlot(slot: SlotColumn): RawBuilder<unknown> {
  return sql`lower(${slotSql(slot)} collate "default")`;
}

/** The condition that a text slot may have only the beginning of a text. An index has it. */
export function isCutOff(column: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`char_length(${column}) = ${sql.lit(slotCharacters)}`;
}
