import type { Database } from '#platform/database/connection/database.ts';

/** An account whose counts must be computed again. */
export interface CountRebuild {
  readonly accountId: number;
  /** True when the account was never counted. */
  readonly isFirst: boolean;
  readonly requestedAt: Date;
}

/** Requests that a worker computes the counts of an account again, such as for a new time zone. */
export async function requestCountRebuild(trx: Database, accountId: number, at: Date): Promise<void> {
  await trx
    .insertInto('count_rebuilds')
    .values({ account_id: accountId, is_first: false, requested_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ requested_at: at }))
    .execute();
}

/** Returns the accounts whose counts must be computed again, oldest first. */
export async function listCountRebuilds(db: Database, limit: number): Promise<CountRebuild[]> {
  const rows = await db
    .selectFrom('count_rebuilds')
    .selectAll()
    .orderBy('requested_at')
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    isFirst: row.is_first,
    requestedAt: row.requested_at,
  }));
}

/** Returns the requested rebuild of an account; undefined when there is none. */
export async function findCountRebuild(db: Database, accountId: number): Promise<CountRebuild | undefined> {
  const row = await db.selectFrom('count_rebuilds').where('account_id', '=', accountId).selectAll().executeTakeFirst();
  return row === undefined ? undefined : { accountId, isFirst: row.is_first, requestedAt: row.requested_at };
}

/** Ends a rebuild, unless it was requested again since. */
export async function endCountRebuild(trx: Database, { accountId, requestedAt }: CountRebuild): Promise<void> {
  await trx
    .deleteFrom('count_rebuilds')
    .where('account_id', '=', accountId)
    .where('requested_at', '=', requestedAt)
    .execute();
}
