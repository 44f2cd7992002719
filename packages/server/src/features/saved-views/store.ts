import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of the table `saved_views`. */
export type ViewRow = Selectable<Tables['saved_views']>;

/** Whose views are looked for: the shared ones of an account, and those of one person. */
export interface ViewScope {
  readonly accountId: number;
  /** Undefined: only shared views. */
  readonly userId: number | undefined;
}

/** Stores a view. */
export async function insertView(trx: Database, row: Insertable<Tables['saved_views']>): Promise<ViewRow> {
  return trx.insertInto('saved_views').values(row).returningAll().executeTakeFirstOrThrow();
}

function visible(db: Database, { accountId, userId }: ViewScope) {
  return db
    .selectFrom('saved_views')
    .where('account_id', '=', accountId)
    .where((eb) =>
      userId === undefined ? eb('user_id', 'is', null) : eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]),
    )
    .selectAll();
}

/** Finds and locks a view that the caller can see; undefined when there is none. */
export async function lockView(trx: Database, scope: ViewScope, viewId: string): Promise<ViewRow | undefined> {
  return visible(trx, scope).where('view_id', '=', viewId).forUpdate().executeTakeFirst();
}

/** Lists the views that the caller can see, newest first, that are older than `before`. */
export async function listViews(
  db: Database,
  scope: ViewScope,
  { page, before }: { readonly page: string | undefined; readonly before: string | undefined },
  limit: number,
): Promise<ViewRow[]> {
  return visible(db, scope)
    .$if(page !== undefined, (query) => query.where('page', '=', page!))
    .$if(before !== undefined, (query) => query.where('view_id', '<', before!))
    .orderBy('view_id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts the shared views of an account, or those of one person in it. */
export async function countViews(db: Database, accountId: number, owner: number | null): Promise<number> {
  const { count } = await db
    .selectFrom('saved_views')
    .where('account_id', '=', accountId)
    .where('user_id', owner === null ? 'is' : '=', owner)
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Changes a view and returns it. */
export async function changeView(
  trx: Database,
  accountId: number,
  viewId: string,
  changes: Updateable<Tables['saved_views']>,
): Promise<ViewRow> {
  return trx
    .updateTable('saved_views')
    .where('account_id', '=', accountId)
    .where('view_id', '=', viewId)
    .set(changes)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a view. */
export async function deleteView(trx: Database, accountId: number, viewId: string): Promise<void> {
  await trx.deleteFrom('saved_views').where('account_id', '=', accountId).where('view_id', '=', viewId).execute();
}

/** Deletes the private views of a user in all accounts. Shared views stay. */
export async function deleteViewsOf(trx: Database, userId: number): Promise<void> {
  await trx.deleteFrom('saved_views').where('user_id', '=', userId).execute();
}
