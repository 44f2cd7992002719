import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { fieldSql } from '../filter/columns.ts';
import { orderOf, rowsAfter, type OrderKey } from './order.ts';
import type { PageOutput } from './page.ts';

/** A range of an index: a condition for its rows, and their order. */
export interface IndexRange {
  readonly rows: RawBuilder<SqlBool>;
  readonly keys: readonly OrderKey[];
}

/**
 * Splits the rows of a page, or those after its position, into consecutive ranges of the index on
 * the first sort key, which must be an indexed attribute. In both directions, contacts without a
 * value come last, and they are at the end of the index.
 *
 * The index has `contact_id` in ascending order after the value. Read backwards, it has the wrong
 * order of equal values, which PostgreSQL sorts group by group. A boolean has too large groups for
 * this. So each of its values is a range of its own.
 *
 * `cutOff`: the index has only the beginning of some texts. Then the full value is the second key.
 */
export function indexRanges({ sorting, after }: Pick<PageOutput, 'sorting' | 'after'>, cutOff: boolean): IndexRange[] {
  const [full, ...others] = orderOf(sorting) as [OrderKey, ...OrderKey[]];
  const { indexed } = fieldSql(sorting[0]!.field);
  if (indexed === undefined) throw new Error(`there is no index on ${sorting[0]!.field.name}`);
  const { slot, parameter, hasValue, hasNone, dataType } = indexed;
  const { descending } = full;
  const rest = cutOff ? [full, ...others] : others;
  const keys = [{ ...full, expression: slot, parameter, notNull: true }, ...rest];
  const equals = (value: boolean): IndexRange => ({ rows: sql`${slot} = ${parameter(value)}`, keys: rest });
  const without: IndexRange = { rows: hasNone, keys: rest };
  if (after === undefined) {
    // The end of the index has the contacts without a value, as the order needs it.
    if (!descending) return [{ rows: sql`${slot} is not null`, keys }];
    return dataType === 'boolean' ? [equals(true), equals(false), without] : [{ rows: hasValue, keys }, without];
  }
  const bound = after[0] ?? null;
  if (bound === null) return [{ rows: sql`${hasNone} and ${rowsAfter(rest, after)}`, keys: rest }];
  const equal: IndexRange = { rows: sql`${slot} = ${parameter(bound)} and ${rowsAfter(rest, after)}`, keys: rest };
  if (!descending) return [equal, { rows: sql`${slot} > ${parameter(bound)}`, keys }];
  if (dataType === 'boolean') return [equal, ...(bound === true ? [equals(false)] : []), without];
  return [equal, { rows: sql`${slot} < ${parameter(bound)}`, keys }, without];
}
