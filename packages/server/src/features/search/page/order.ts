import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import type { CursorPosition, SortKey } from './checked-output.ts';
import { fieldSql } from '../filter/columns.ts';

/** One key of an order in SQL. */
export interface OrderKey {
  readonly expression: RawBuilder<unknown>;
  readonly descending: boolean;
  /** True when the expression is never null. */
  readonly notNull: boolean;
  /** A stored value as a parameter of the type of the expression. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** Index of the sort key that it belongs to. */
  readonly at: number;
}

/** The order of a sorting, by the values themselves. */
export function orderOf(sorting: readonly SortKey[]): OrderKey[] {
  return sorting.map(({ field, descending }, at) => {
    const { value, notNull, parameter } = fieldSql(field);
    return { expression: value, notNull, parameter, descending, at };
  });
}

/**
 * The same order as that of {@link orderOf}, in the words of the index on the first key, which must be an indexed attribute.
 *
 * `cutOff`: the index has only the beginning of some texts, so that the values themselves decide among equal ones.
 */
export function orderOfIndex(sorting: readonly SortKey[], cutOff: boolean): OrderKey[] {
  const [first, ...rest] = orderOf(sorting);
  const { indexed } = fieldSql(sorting[0]!.field);
  if (indexed === undefined) throw new Error(`there is no index on ${sorting[0]!.field.name}`);
  const key = { ...first!, expression: indexed.ordered, parameter: indexed.parameter };
  return cutOff ? [key, first!, ...rest] : [key, ...rest];
}

/**
 * The clause of an order; `expression` names another place for the value of each key, such as a column.
 *
 * For expressions that are never null the plain order is asked for, because that is the order of the index.
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
 * The rows that come after a position: greater in the first key, or equal in it and greater in the second, and so on.
 *
 * When the first key is never null, a plain bound on it comes before, which an index on it can start from.
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

/** A piece of an index: the rows that it has, and the order that they have in it. */
export interface Stretch {
  readonly rows: RawBuilder<SqlBool>;
  readonly keys: readonly OrderKey[];
}

/**
 * The rows that come after a position as a sequence of stretches of an index on the keys: equal in the first key and after the position in
 * the others, greater in the first key, and without a value for it.
 */
export function stretchesAfter(keys: readonly OrderKey[], position: CursorPosition): Stretch[] {
  const [first, ...rest] = keys as [OrderKey, ...OrderKey[]];
  const bound = boundOf(first, position);
  const equal = sql<SqlBool>`${isEqual(first, position)} and ${rowsAfter(rest, position)}`;
  // The server knows that rows which equal a value are in the order of the other keys. Of nulls it does not.
  if (bound === null) return [{ rows: equal, keys }];
  return [
    { rows: equal, keys: rest },
    { rows: isBeyond(first, bound), keys },
    { rows: sql`${first.expression} is null`, keys },
  ];
}

function boundOf({ at }: OrderKey, position: CursorPosition): StoredValue | null {
  return position[at] ?? null;
}

function isBeyond({ expression, descending, parameter }: OrderKey, bound: StoredValue): RawBuilder<SqlBool> {
  return sql`${expression} ${descending ? sql`<` : sql`>`} ${parameter(bound)}`;
}

/** Nulls come last in both directions, so nothing but the next keys comes after a null. */
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
