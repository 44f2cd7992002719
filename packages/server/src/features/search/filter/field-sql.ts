import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';

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
  /**
   * The text for `contains` and similar operations. In the default collation, because with "C",
   * `lower` changes only ASCII letters.
   */
  readonly text: RawBuilder<unknown>;
  /** Present for an attribute whose indexes are ready. */
  readonly indexed?: IndexedSql;
  /** The condition that the value begins with a text, in any letter case, if an index has it. */
  readonly startsWith?: (text: string) => StartCondition;
}

/** The expressions of the indexes on an attribute; see indexed-values.ts. */
interface IndexedSql {
  /**
   * The value, or the beginning of a long text. It has the same order as {@link FieldSql.value},
   * and is null for the same contacts.
   */
  readonly ordered: RawBuilder<unknown>;
  /** Makes a parameter of the type of {@link ordered} from a stored value. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** Only for texts: true when {@link ordered} has only the beginning of the value. */
  readonly cutOff?: RawBuilder<SqlBool>;
}

/** A condition that can use an index. */
interface StartCondition {
  readonly condition: RawBuilder<SqlBool>;
  /** False when the condition matches too many values, so that a second condition is needed. */
  readonly exact: boolean;
}

/** Makes a text parameter. */
export function textParameter(value: StoredValue): RawBuilder<unknown> {
  return sql`${value}::text`;
}
