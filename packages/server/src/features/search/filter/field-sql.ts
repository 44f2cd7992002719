import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';

/**
 * A field in SQL, on the table or alias `contacts`.
 *
 * The expressions of one field agree with each other: `value` is SQL null exactly when `isNull` holds, and every value that a caller
 * sent is a parameter. No expression can fail on a value that is stored, whatever its type: a search never ends with a cast error.
 */
export interface FieldSql {
  /** What ranges and sorting compare; texts in code point order (collation "C"), which is the same on every server. */
  readonly value: RawBuilder<unknown>;
  /** True when the value is never null, so that an index in plain order can serve the sorting. */
  readonly notNull: boolean;
  /** A stored value as a parameter of the type of {@link value}. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** True when the contact has one of the values; served by an index wherever the field has one. */
  readonly equalsAny: (values: readonly StoredValue[]) => RawBuilder<SqlBool>;
  /** True or false, never null. */
  readonly isNull: RawBuilder<SqlBool>;
  /** What `contains` and its like look into, in the default collation: "C" would fold the case of ASCII letters only. */
  readonly text: RawBuilder<unknown>;
  /** Of an attribute whose values have indexes that are ready. */
  readonly indexed?: IndexedSql;
}

/** What the indexes on the values of an attribute hold; see indexed-values.ts. */
interface IndexedSql {
  /** The value, or the beginning of a long text: in the order of {@link FieldSql.value}, and null when that is. */
  readonly ordered: RawBuilder<unknown>;
  /** A stored value as a parameter of the type of {@link ordered}. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** Texts only: true for contacts whose value {@link ordered} cuts off. */
  readonly cutOff?: RawBuilder<SqlBool>;
  /** Texts only: the condition that the value begins with a text, in any letter case. */
  readonly startsWith?: (text: string) => StartCondition;
}

/** A condition that an index serves. */
interface StartCondition {
  readonly condition: RawBuilder<SqlBool>;
  /** False when it holds for more values than it should, so that the rest has to be looked at. */
  readonly exact: boolean;
}

/** A stored text as a parameter. */
export function textParameter(value: StoredValue): RawBuilder<unknown> {
  return sql`${value}::text`;
}
