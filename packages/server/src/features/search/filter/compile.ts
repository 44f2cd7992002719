import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Attribute } from '#features/registry/registry.ts';
import { activityCondition } from './activities/activity-sql.ts';
import {
  boundsOn,
  type CheckedFilter,
  type Condition,
  type Connective,
  type ResolvedFilter,
} from './checked-filter.ts';
import { fieldSql } from './columns.ts';
import { derivedCondition } from './activities/derived-sql.ts';
import { operationEntry } from './operations.ts';
import { timeCondition } from './time/time-conditions.ts';

/**
 * Compiles a filter to an SQL condition on the table or alias `contacts`.
 *
 * The condition includes the account, so no statement can see the rows of another account. All
 * values are parameters. Contact search, audience search, segments and exports use this function.
 */
export function compileFilter(filter: ResolvedFilter): RawBuilder<SqlBool> {
  return combine('and', [compileAccount(filter), ...compileConditions(filter)]);
}

/**
 * Compiles a filter like {@link compileFilter}, for contacts that are chosen by their numbers. The
 * planner then looks up the activities of these contacts, instead of joining those of all.
 */
export function compileForChosen(filter: ResolvedFilter): RawBuilder<SqlBool> {
  return sql`(${compileFilter(filter)}) is true`;
}

/** Compiles the conditions of a filter without the account. Only for EXPLAIN, never for reading. */
export function compileConditions(filter: ResolvedFilter): RawBuilder<SqlBool>[] {
  return filter.filters.filter((part) => part.groups.length > 0).map((part) => sql<SqlBool>`(${groups(part, filter)})`);
}

/** Compiles the condition that a contact belongs to the account of a filter. */
export function compileAccount({ accountId }: ResolvedFilter): RawBuilder<SqlBool> {
  return sql`${sql.ref('contacts.account_id')} = ${accountId}`;
}

/** False when every contact of the account matches, because the filter has no conditions. */
export function isRestricted({ filters }: ResolvedFilter): boolean {
  return filters.some((part) => part.groups.length > 0);
}

/** Compiles the bounds on an attribute that every match must meet; see {@link boundsOn}. */
export function compileBoundsOn(attribute: Attribute, filter: ResolvedFilter): RawBuilder<SqlBool>[] {
  return boundsOn(attribute, filter).map((condition) => compileCondition(condition, filter));
}

function groups(part: CheckedFilter, filter: ResolvedFilter): RawBuilder<SqlBool> {
  if (part.groups.length === 0) return sql`true`;
  return combine(
    part.connective,
    part.groups.map((group) => {
      const conditions = combine(
        group.connective,
        group.conditions.map((condition) => compileCondition(condition, filter)),
      );
      return part.groups.length === 1 ? conditions : sql<SqlBool>`(${conditions})`;
    }),
  );
}

function compileCondition(condition: Condition, filter: ResolvedFilter): RawBuilder<SqlBool> {
  if (condition.field.type === 'segment') return segments(condition, filter);
  const { operation, values, selection } = condition;
  if (selection !== undefined) return activityCondition(operation, values, selection, filter);
  const compiled = compileOnField(condition, filter);
  return condition.field.derived === undefined ? compiled : derivedCondition(condition, compiled, filter);
}

function compileOnField(condition: Condition, filter: ResolvedFilter): RawBuilder<SqlBool> {
  const { operation, values } = condition;
  const field = fieldSql(condition.field, filter.removedLists);
  const { type, attribute } = condition.field;
  if (type === 'date' || type === 'datetime') {
    const sqlType = attribute === undefined ? sql`timestamptz` : sql`text`;
    return sql`(${timeCondition(operation, values, { field, type, sqlType, clock: filter.clock })})`;
  }
  const { sql: make } = operationEntry(operation);
  if (make === undefined) throw new Error(`the operation ${operation} is not for ${type} fields`);
  return sql`(${make(field, values)})`;
}

/**
 * Replaces segments by their filters. `not_equals` uses `is not true` instead of `not`, because a
 * contact does not match a filter that is null for it.
 */
function segments({ operation, values }: Condition, filter: ResolvedFilter): RawBuilder<SqlBool> {
  const filters = Array.from(new Set(values), (id) => {
    const segment = filter.segments.get(Number(id));
    if (segment === undefined) throw new Error(`segment ${String(id)} was not resolved`);
    return sql<SqlBool>`(${groups(segment, filter)})`;
  });
  const any = combine('or', filters);
  if (operation === 'equals') return sql`(${any})`;
  if (operation === 'not_equals') return sql`((${any}) is not true)`;
  throw new Error(`the operation ${operation} is not for segments`);
}

/** Makes one flat list: a thousand nested pairs would overflow the stack here or in PostgreSQL. */
function combine(connective: Connective, parts: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return parts.length === 1 ? parts[0]! : sql.join(parts, connective === 'and' ? sql` and ` : sql` or `);
}
