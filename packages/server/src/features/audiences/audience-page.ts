import { maxInteger, type AudienceOrder } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { MixedPosition, PositionBounds } from '#platform/http/paging/page.ts';

/** The fields of an audience by which pages are ordered. */
interface OrderedRow {
  readonly audience_id: number;
  readonly name: string;
  readonly updated_at: Date;
  readonly member_count?: number;
}

/** What a page of audiences has, and in which order. */
export interface AudiencePage {
  /** Default: `audience_id`. */
  readonly order?: StoredOrder | undefined;
  /** Default: the direction of the order. */
  readonly direction?: 'asc' | 'desc' | undefined;
  /** A part of the name, in any letter case. */
  readonly contains?: string | undefined;
  /** Only these audiences. */
  readonly ids?: readonly number[] | undefined;
  /** A condition on `updated_at`. */
  readonly updated?: RawBuilder<SqlBool> | undefined;
  /** Number of audiences to skip. Default: 0. */
  readonly offset?: number | undefined;
}

/** `counted_day`: the day of the last daily count of a segment. It has no cursor. */
type StoredOrder = AudienceOrder | 'counted_day';

/** An order of audiences. The audience id is the last part of each position. */
interface Order {
  /** Bounds of the positions, for the cursor. */
  readonly bounds: PositionBounds;
  readonly position: (row: OrderedRow) => MixedPosition;
  /** SQL of the sort key, and of the same key of a position. */
  readonly key: RawBuilder<unknown>;
  readonly parameter: (value: number | string) => RawBuilder<unknown>;
  readonly direction: 'asc' | 'desc';
}

// The last millisecond that a date can have in JavaScript.
const lastMoment = 8_640_000_000_000_000;

const foldedName = sql`lower(name) collate "C"`;

const orders: Record<AudienceOrder, Order> = {
  audience_id: {
    bounds: [maxInteger],
    position: ({ audience_id: id }) => [id],
    key: sql.ref('audience_id'),
    parameter: (id) => sql`${id}::bigint`,
    direction: 'asc',
  },
  name: {
    bounds: ['text', maxInteger],
    position: ({ name, audience_id: id }) => [name, id],
    key: foldedName,
    parameter: (name) => sql`lower(${name}::text) collate "C"`,
    direction: 'asc',
  },
  updated_at: {
    bounds: [lastMoment, maxInteger],
    position: ({ updated_at: at, audience_id: id }) => [at.getTime(), id],
    key: sql.ref('updated_at'),
    parameter: (at) => sql`${new Date(Number(at))}::timestamptz`,
    direction: 'desc',
  },
  member_count: {
    bounds: [Number.MAX_SAFE_INTEGER, maxInteger],
    position: ({ member_count: count = 0, audience_id: id }) => [count, id],
    key: sql.ref('member_count'),
    parameter: (count) => sql`${count}::bigint`,
    direction: 'desc',
  },
};

/**
 * The day of the last daily count. Null if there is none, or if it is not needed: for lists, and for
 * live segments that follow. Null comes after all days.
 */
function countedDay(accountId: number): RawBuilder<unknown> {
  return sql`(
    select max(c.day) from segment_counts c
    where c.account_id = ${accountId} and c.audience_id = audiences.audience_id and c.contacts is not null
      and not exists (
        select 1 from live_segments l
        where l.account_id = ${accountId} and l.audience_id = audiences.audience_id and l.state = 'following'))`;
}

/** Returns the order of a page with a cursor. */
export function audienceOrder({ order = 'audience_id' }: { readonly order?: AudienceOrder | undefined }): Order {
  return orders[order];
}

/** Makes the condition for the audiences of a page that come after a position. */
export function audienceCondition(page: AudiencePage, after: MixedPosition | undefined): RawBuilder<SqlBool> {
  const conditions = [sql<SqlBool>`true`];
  if (page.contains !== undefined) {
    conditions.push(sql`strpos(lower(name), lower(${page.contains}::text)) > 0`);
  }
  if (page.ids !== undefined) conditions.push(sql`audience_id = any(${page.ids}::int[])`);
  if (page.updated !== undefined) conditions.push(page.updated);
  if (after !== undefined) {
    const { key, parameter, direction } = audienceOrder(page as { readonly order?: AudienceOrder });
    const [value, id] = [after[0]!, after.at(-1)!];
    const operator = direction === 'asc' ? sql`>` : sql`<`;
    conditions.push(sql`(${key}, audience_id) ${operator} (${parameter(value)}, ${id}::int)`);
  }
  return sql.join(conditions, sql` and `);
}

/** Makes the ORDER BY of a page. */
export function audienceOrdering(
  { order = 'audience_id', direction }: AudiencePage,
  accountId: number,
): RawBuilder<unknown> {
  const { key, direction: usual } =
    order === 'counted_day' ? { key: countedDay(accountId), direction: 'desc' } : orders[order];
  return (direction ?? usual) === 'asc' ? sql`${key}, audience_id` : sql`${key} desc, audience_id desc`;
}
