import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { CheckedFilter, Condition, Connective, ResolvedFilter } from './checked-filter.ts';
import { fieldSql } from './columns.ts';
import { operationEntry } from './operations.ts';

/**
 * Compiles a filter to a condition on the table or alias `contacts` (architecture §6).
 *
 * The condition names the account, so a statement that uses it cannot see the rows of another one. Every value is a parameter.
 * Contact search, audience search, segments and exports all use this function.
 */
export function compileFilter(filter: ResolvedFilter): RawBuilder<SqlBool> {
  const account = sql<SqlBool>`${sql.ref('contacts.account_id')} = ${filter.accountId}`;
  const conditions = filter.filters
    .filter((part) => part.groups.length > 0)
    .map((part) => sql<SqlBool>`(${groups(part, filter)})`);
  return combine('and', [account, ...conditions]);
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
  const field = fieldSql(condition.field, filter.removedLists);
  return sql`(${operationEntry(condition.operation).sql(field, condition.values)})`;
}

/** Segments stand for their filters; a filter that is null for a contact does not match it, so `not_equals` must not say "not". */
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

/** One flat list: nested pairs of a thousand conditions would exhaust the stack of this process or of the server. */
function combine(connective: Connective, parts: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return parts.length === 1 ? parts[0]! : sql.join(parts, connective === 'and' ? sql` and ` : sql` or `);
}
