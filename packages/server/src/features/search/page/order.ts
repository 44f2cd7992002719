import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import type { CursorPosition, SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';

/** One key of an ORDER BY clause. */
export interface OrderKey {
  readonly expression: RawBuilder<unknown>;
  readonly descending: boolean;
  /** True when the expression is never null. */
  readonly notNull: boolean;
  /** Makes a parameter of the type of the expression from a stored value. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** Index of its sort key. */
  readonly at: number;
}

/** Returns the keys of a sorting, by the stored values. */
export function orderOf(sorting: readonly SortKey[]): OrderKey[] {
  return sorting.map(({ field, descending }, at) => {
    const { value, notNull, parameter } = fieldSql(field);
    return { expression: value, notNull, parameter, descending, at };
  });
}

/**
 * Base 2 logarithm of the number of contact_ids of a block. The index on `created_at` has the block
 * of a contact instead of its `contact_id` (docs/decisions/0038-disk-of-a-contact.md).
 */
const blockBits = 5;

/** True when the contacts are sorted by `created_at`, and then by `contact_id`. */
export function isByCreation([first, second, ...others]: readonly SortKey[]): boolean {
  return isColumn(first, 'created_at') && isColumn(second, 'contact_id') && others.length === 0;
}

function isColumn(key: SortKey | undefined, name: string): boolean {
  return key?.field.attribute === undefined && key?.field.name === name;
}

/**
 * Returns the keys of a sorting in a form of which an index has the beginning. By creation, that is
 * `created_at`, the block of the contact, and its `contact_id`. The order is the same. Newest first,
 * PostgreSQL sorts one block after the other; oldest first, the contacts of one moment.
 */
export function indexOrderOf(sorting: readonly SortKey[]): OrderKey[] {
  const keys = orderOf(sorting);
  return isByCreation(sorting) ? [keys[0]!, blockKeyOf(keys[1]!), keys[1]!] : keys;
}

/** Returns the key for the block of a contact. `id`: the key for its `contact_id`. */
export function blockKeyOf(id: OrderKey): OrderKey {
  const blockOf = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${value} >> ${sql.lit(blockBits)})`;
  return { ...id, expression: blockOf(id.expression), parameter: (value) => blockOf(id.parameter(value)) };
}

/**
 * Makes an ORDER BY list. `expression` can replace the expression of a key, for example by a
 * column.
 *
 * Leaves out `nulls last` if an expression is never null. With it, no index could give the order.
 */
export function orderBy(
  keys: readonly OrderKey[],
  expression: (key: OrderKey, index: number) => RawBuilder<unknown> = (key) => key.expression,
): RawBuilder<unknown> {
  return sql.join(
    keys.map((key, index) => {
      const direction = !key.descending ? sql`` : key.notNull ? sql` desc` : sql` desc nulls last`;
      return sql`${expression(key, index)}${direction}`;
    }),
  );
}

/**
 * Makes the condition for the rows after a position: greater in the first key, or equal in the
 * first key and greater in the second, and so on.
 *
 * If the first key is never null, adds a simple bound on it, so that an index scan can start there.
 */
export function rowsAfter(keys: readonly OrderKey[], position: CursorPosition): RawBuilder<SqlBool> {
  const branches = keys.flatMap((key, index) => {
    const after = isAfter(key, position);
    if (after === undefined) return [];
    const equal = keys.slice(0, index).map((before) => isEqual(before, position));
    return sql<SqlBool>`(${sql.join([...equal, after], sql` and `)})`;
  });
  const rest = sql<SqlBool>`(${sql.join(branches, sql` or `)})`;
  const first = keys[0]!;
  const bound = boundOf(first, position);
  if (!first.notNull || bound === null || keys.length === 1) return rest;
  return sql`${first.expression} ${first.descending ? sql`<=` : sql`>=`} ${first.parameter(bound)} and ${rest}`;
}

function boundOf({ at }: OrderKey, position: CursorPosition): StoredValue | null {
  return position[at] ?? null;
}

function isBeyond({ expression, descending, parameter }: OrderKey, bound: StoredValue): RawBuilder<SqlBool> {
  return sql`${expression} ${descending ? sql`<` : sql`>`} ${parameter(bound)}`;
}

/** Undefined for a null, because nulls come last in both directions. */
function isAfter(key: OrderKey, position: CursorPosition): RawBuilder<SqlBool> | undefined {
  const bound = boundOf(key, position);
  if (bound === null) return undefined;
  const beyond = isBeyond(key, bound);
  return key.notNull ? beyond : sql`(${beyond} or ${key.expression} is null)`;
}

function isEqual(key: OrderKey, position: CursorPosition): RawBuilder<SqlBool> {
  const bound = boundOf(key, position);
  return bound === null ? sql`${key.expression} is null` : sql`${key.expression} = ${key.parameter(bound)}`;
}
