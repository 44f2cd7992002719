import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import type { IndexableType } from '#features/registry/slots/slot.ts';

/**
 * The SQL expressions of a field, on the table or alias `contacts`.
 *
 * `value` is null exactly when `isNull` is true. All values of callers are parameters.
 * No expression can fail on a stored value, so a search never ends with a cast error.
 */
export interface FieldSql {
  /**
   * The value for ranges and sorting. Texts are in code point order (collation "C"), which is the
   * same on every server.
   */
  readonly value: RawBuilder<unknown>;
  /** True when the value is never null. Then an index in plain order can serve the sorting. */
  readonly notNull: boolean;
  /** Makes a parameter of the type of {@link value} from a stored value. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** True when the contact has one of the values. Uses an index if the field has one. */
  readonly equalsAny: (values: readonly StoredValue[]) => RawBuilder<SqlBool>;
  /** True or false, never null. */
  readonly isNull: RawBuilder<SqlBool>;
  /** The opposite of {@link isNull}. Default: `not`. */
  readonly isNotNull?: RawBuilder<SqlBool>;
  /**
   * The text for `contains` and similar operations. In the default collation, because with "C",
   * `lower` changes only ASCII letters.
   */
  readonly text: RawBuilder<unknown>;
  /** Present for an attribute whose index is ready. */
  readonly indexed?: IndexedSql;
  /** The condition that the value begins with a text, in any letter case, if an index has it. */
  readonly startsWith?: (text: string) => RawBuilder<SqlBool>;
  /** The condition that the value matches a pattern, in any letter case, if an index has it. */
  readonly like?: (pattern: string) => RawBuilder<SqlBool>;
}

/**
 * The SQL of a slot: a column that has the values of an indexed attribute
 * (docs/decisions/0037-attribute-slots.md).
 */
export interface IndexedSql {
  /**
   * The column. It has the same order as {@link FieldSql.value}, but is never null: contacts
   * without a value come last.
   */
  readonly slot: RawBuilder<unknown>;
  readonly dataType: IndexableType;
  /** Makes a parameter of the type of {@link slot} from a stored value. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** The condition that the contact has a value. */
  readonly hasValue: RawBuilder<SqlBool>;
  /** The opposite of {@link hasValue}. */
  readonly hasNone: RawBuilder<SqlBool>;
  /** The slot, or null when the contact has no value. */
  readonly valueOrNull: RawBuilder<unknown>;
  /** Compares the value. False when the contact has none. */
  readonly compare: (operator: '<' | '<=' | '>' | '>=', bound: StoredValue) => RawBuilder<SqlBool>;
  /** Only for texts: true when {@link slot} has only the beginning of the value. */
  readonly cutOff?: RawBuilder<SqlBool>;
}

/** Makes a text parameter. */
export function textParameter(value: StoredValue): RawBuilder<unknown> {
  return sql`${value}::text`;
}
