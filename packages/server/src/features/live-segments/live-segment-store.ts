import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `live_segments`. */
export type LiveSegmentRow = Selectable<Tables['live_segments']>;

/** Loads the live segments of an account, in the order of their ids. */
export async function loadLiveSegments(db: Database, accountId: number): Promise<LiveSegmentRow[]> {
  return db
    .selectFrom('live_segments')
    .where('account_id', '=', accountId)
    .selectAll()
    .orderBy('audience_id')
    .execute();
}

/** Finds a live segment; undefined when the segment is not live. */
export async function findLiveSegment(
  db: Database,
  accountId: number,
  audienceId: number,
): Promise<LiveSegmentRow | undefined> {
  return db
    .selectFrom('live_segments')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .selectAll()
    .executeTakeFirst();
}

/** Inserts a live segment. */
export async function insertLiveSegment(
  trx: Database,
  key: { readonly accountId: number; readonly audienceId: number; readonly liveId: number },
  at: Date,
): Promise<LiveSegmentRow> {
  return trx
    .insertInto('live_segments')
    .values({
      account_id: key.accountId,
      audience_id: key.audienceId,
      live_id: key.liveId,
      state: 'new',
      definition: null,
      clock_at: at,
      pass_to: null,
      started_at: at,
      filled_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a live segment with its history. Its members are deleted later. */
export async function deleteLiveSegment(
  trx: Database,
  { account_id: accountId, audience_id: audienceId, live_id: liveId }: LiveSegmentRow,
): Promise<void> {
  for (const table of ['live_changes', 'live_days'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).where('live_id', '=', liveId).execute();
  }
  await trx
    .deleteFrom('live_segments')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .execute();
}

/** Changes columns of a live segment. The caller has locked the account. */
export async function updateLiveSegment(
  trx: Database,
  { account_id: accountId, audience_id: audienceId }: LiveSegmentRow,
  changes: Partial<
    Pick<
      LiveSegmentRow,
      | 'state'
      | 'inputs'
      | 'definition'
      | 'member_count'
      | 'fill_position'
      | 'clock_at'
      | 'pass_to'
      | 'pass_position'
      | 'filled_at'
    >
  >,
): Promise<void> {
  await trx
    .updateTable('live_segments')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .set(changes)
    .execute();
}

/**
 * Begins to fill the segments that wait until no batch is under way. The caller holds all lanes of
 * the account.
 */
export async function beginFilling(trx: Database, accountId: number, now: Date): Promise<void> {
  await trx
    .updateTable('live_segments')
    .where('account_id', '=', accountId)
    .where('state', '=', 'waiting')
    .set({ state: 'filling', fill_position: 0, clock_at: now, pass_to: null, pass_position: 0, filled_at: null })
    .execute();
}

/** Makes all segments that depend on an input evaluate all contacts again. */
export async function restartSegmentsWith(trx: Database, accountId: number, input: string): Promise<void> {
  await sql`
    update live_segments set definition = null
    where account_id = ${accountId} and inputs @> array[${input}::text]`.execute(trx);
}
