import type { Database } from '#platform/database/connection/database.ts';
import { maxInteger } from '@roster/contract';
import type { MixedPosition } from '#platform/http/paging/page.ts';
import { noteDeletedList } from '#features/live-segments/live-segments.ts';
import { audienceCondition, audienceOrdering, type AudiencePage } from './audience-page.ts';
import { deleteAudience } from './audience-store.ts';

/** A stored list. */
export interface ListRow {
  readonly audience_id: number;
  readonly name: string;
  readonly member_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = ['audience_id', 'name', 'member_count', 'created_at', 'updated_at'] as const;

/** Inserts a list. */
export async function insertList(
  trx: Database,
  accountId: number,
  audienceId: number,
  name: string,
  at: Date,
): Promise<ListRow> {
  return trx
    .insertInto('audiences')
    .values({
      account_id: accountId,
      audience_id: audienceId,
      audience_type: 'list',
      name,
      created_at: at,
      updated_at: at,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Loads a list; undefined when it does not exist, or is a segment. */
export async function findList(db: Database, accountId: number, audienceId: number): Promise<ListRow | undefined> {
  return lists(db, accountId).where('audience_id', '=', audienceId).select(columns).executeTakeFirst();
}

/** Loads lists of a page after a position, in its order. */
export async function listLists(
  db: Database,
  accountId: number,
  page: AudiencePage,
  after: MixedPosition | undefined,
  limit: number,
): Promise<ListRow[]> {
  return lists(db, accountId)
    .where(audienceCondition(page, after))
    .select(columns)
    .orderBy(audienceOrdering(page, accountId))
    .limit(limit)
    .offset(page.offset ?? 0)
    .execute();
}

/** Renames a list. */
export async function renameStoredList(
  trx: Database,
  accountId: number,
  audienceId: number,
  name: string,
  at: Date,
): Promise<ListRow> {
  return trx
    .updateTable('audiences')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .where('audience_type', '=', 'list')
    .set({ name, updated_at: at })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Deletes a list, and adds a sweep that removes its id from the contacts in the background. */
export async function deleteStoredList(trx: Database, accountId: number, audienceId: number, at: Date): Promise<void> {
  await deleteAudience(trx, accountId, audienceId);
  await noteDeletedList(trx, accountId);
  await trx.deleteFrom('list_days').where('account_id', '=', accountId).where('audience_id', '=', audienceId).execute();
  await trx
    .insertInto('sweeps')
    .values({ account_id: accountId, kind: 'list', target_id: audienceId, created_at: at })
    .execute();
}

/** Loads the names of lists, in the order of their ids. Skips ids that are not of lists. */
export async function listNames(
  db: Database,
  accountId: number,
  audienceIds: readonly number[],
): Promise<{ audience_id: number; name: string }[]> {
  if (audienceIds.length === 0) return [];
  return lists(db, accountId)
    .where('audience_id', 'in', audienceIds)
    .select(['audience_id', 'name'])
    .orderBy('audience_id')
    .execute();
}

function lists(db: Database, accountId: number) {
  return db.selectFrom('audiences').where('account_id', '=', accountId).where('audience_type', '=', 'list');
}

/** Returns which integers are ids of lists of the account. The integers can be of any size. */
export async function findExistingLists(
  db: Database,
  accountId: number,
  audienceIds: readonly number[],
): Promise<Set<number>> {
  const possible = audienceIds.filter((id) => id >= 1 && id <= maxInteger);
  if (possible.length === 0) return new Set();
  const rows = await lists(db, accountId).where('audience_id', 'in', possible).select('audience_id').execute();
  return new Set(rows.map((row) => row.audience_id));
}

/**
 * Loads the lists with one of these names. The names are in lower case, and the letter case of the
 * lists does not matter. Of lists with the same name, returns the first one that was created.
 */
export async function listsByName(
  db: Database,
  accountId: number,
  names: readonly string[],
): Promise<{ audience_id: number; name: string }[]> {
  const wanted = new Set(names);
  const rows = await lists(db, accountId).select(['audience_id', 'name']).orderBy('audience_id', 'desc').execute();
  // The comparison is here and not in SQL, because PostgreSQL may have other rules for letters.
  const found = new Map(
    rows.flatMap((row) => (wanted.has(row.name.toLowerCase()) ? [[row.name.toLowerCase(), row]] : [])),
  );
  return [...found.values()];
}
