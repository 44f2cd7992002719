import type { Faults, ListAudiencesBody, PartlyRead } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { checkValues } from '#features/search/filter/check-filter.ts';
import type { FieldSql } from '#features/search/filter/field-sql.ts';
import type { Field } from '#features/search/filter/fields.ts';
import type { Clock } from '#features/search/filter/time/relative-dates.ts';
import { timeCondition } from '#features/search/filter/time/time-conditions.ts';

const place = 'filtering_criteria.last_updated_date_range';

/** The time of the last change, as a field of the filter language. */
const field: Field = { name: 'updated_at', category: 'config', type: 'datetime', form: undefined, masking: 'none' };

const sqlType = sql`timestamptz`;
const column = sql.ref('updated_at');

const fieldSql: FieldSql = {
  value: column,
  notNull: true,
  parameter: (value) => sql`${value}::${sqlType}`,
  equalsAny: (values) => sql`${column} = any(${values}::${sqlType}[])`,
  isNull: sql`false`,
  text: sql`${column}::text`,
};

/**
 * Makes the condition of `last_updated_date_range` on the table `audiences`; undefined without one.
 * Values mean the same as in a filter on a date-time. Adds faults for values that cannot be read.
 */
export function readDateRange(
  body: PartlyRead<ListAudiencesBody>,
  clock: Clock,
  faults: Faults,
): RawBuilder<SqlBool> | undefined {
  const { condition, value } = body.filtering_criteria?.last_updated_date_range ?? {};
  if (condition === undefined || value === undefined) return undefined;
  const before = faults.count;
  const values = checkValues(condition, field, value, faults);
  if (faults.count === before)
    return timeCondition(condition, values, { field: fieldSql, type: 'datetime', sqlType, clock });
  faults.prefix(before, place);
  return undefined;
}
