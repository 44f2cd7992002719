import type { Database } from '#platform/database/connection/database.ts';
import type { MixedPosition } from '#platform/http/paging/page.ts';
import { audienceCondition, audienceOrdering, type AudiencePage } from './audience-page.ts';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';

/** A stored segment. */
export interface SegmentRow {
  readonly audience_id: number;
  readonly name: string;
  readonly filter: StoredFilter;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The fields of a segment that an operator sets. */
export type SegmentFields = Pick<SegmentRow, 'name' | 'filter'>;

const columns = ['audience_id', 'name', 'filter', 'created_at', 'updated_at'] as const;

/** Inserts a segment. */
export async function insertSegment(
  trx: Database,
  accountId: number,
  audienceId: number,
  { name, filter }: SegmentFields,
  at: Date,
): Promise<SegmentRow> {
  const row = await trx
    .insertInto('audiences')
    .values({
      account_id: accountId,
      audience_id: audienceId,
      audience_type: 'segment',
      name,
      filter: JSON.stringify(filter),
      created_at: at,
      updated_at: at,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return row as SegmentRow;
}

/** Updates the fields of a segment. */
export async function updateSegment(
  trx: Database,
  accountId: number,
  audienceId: number,
  { name, filter }: SegmentFields,
  at: Date,
): Promise<SegmentRow> {
  const row = await trx
    .updateTable('audiences')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .where('audience_type', '=', 'segment')
    .set({ name, filter: JSON.stringify(filter), updated_at: at })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return row as SegmentRow;
}

/** Loads a segment; undefined when it does not exist, or is a list. */
export async function findSegment(
  db: Database,
  accountId: number,
  audienceId: number,
): Promise<SegmentRow | undefined> {
  const row = await segments(db, accountId).where('audience_id', '=', audienceId).select(columns).executeTakeFirst();
  return row as SegmentRow | undefined;
}

/** Loads segments of a page after a position, in its order. */
export async function listSegments(
  db: Database,
  accountId: number,
  page: AudiencePage,
  after: MixedPosition | undefined,
  limit: number,
): Promise<SegmentRow[]> {
  const rows = await segments(db, accountId)
    .where(audienceCondition(page, after))
    .select(columns)
    .orderBy(audienceOrdering(page, accountId))
    .limit(limit)
    .offset(page.offset ?? 0)
    .execute();
  return rows as SegmentRow[];
}

/** The number and the name of a segment. */
export type SegmentName = Pick<SegmentRow, 'audience_id' | 'name'>;

/** Loads the names of all segments of an account, in the order of their ids. */
export async function loadSegmentNames(db: Database, accountId: number): Promise<SegmentName[]> {
  return segments(db, accountId).select(['audience_id', 'name']).orderBy('audience_id').execute();
}

/** Loads all segments of an account, in the order of their ids. */
export async function loadSegments(db: Database, accountId: number): Promise<SegmentRow[]> {
  const rows = await segments(db, accountId).select(columns).orderBy('audience_id').execute();
  return rows as SegmentRow[];
}

/** Loads the filters of all segments of an account by audience id, in the order of their ids. */
export async function loadSegmentFilters(db: Database, accountId: number): Promise<Map<number, StoredFilter>> {
  const all = await loadSegments(db, accountId);
  return new Map(all.map(({ audience_id, filter }) => [audience_id, filter]));
}

function segments(db: Database, accountId: number) {
  return db.selectFrom('audiences').where('account_id', '=', accountId).where('audience_type', '=', 'segment');
}
