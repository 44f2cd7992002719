import { defaultAccountSettings } from '@roster/contract';
import { sql } from 'kysely';
import type { SummaryStateRow } from '#features/accounts/store/summary-state-store.ts';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { pause } from '#platform/loops/pause.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import { oldestMonth } from '#platform/time/month.ts';
import { keysWithOlder, lastKeyOfStep, recomputeSummaries, type RecomputeOptions } from './recompute.ts';

/** Limits of one step. They keep it short, because the pipeline waits for the lane meanwhile. */
export interface StepLimits {
  readonly activities: number;
  readonly summaries: number;
}

const defaultLimits: StepLimits = { activities: 5000, summaries: 2000 };
// Pause after a step, as a multiple of its duration. It leaves time to the pipeline and queries.
const pauseFactor = 2;

/**
 * Builds the summaries of accounts that asked for them, deletes those that are not wanted any more,
 * and removes from them what is older than the retention time.
 *
 * A step is one transaction that holds the lane of the account and also stores its position, so it
 * can be killed at any point. Batches add to all summaries, also to those that are not built yet. So
 * a step replaces whatever is stored for its keys. The accounts take turns after each step.
 */
export async function keepSummaries(
  context: Pick<Context, 'db' | 'servers' | 'log' | 'now'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const accounts = await accountsWithWork(context);
    if (accounts.length === 0) return;
    for (const accountId of accounts) {
      if (signal.aborted) return;
      const started = performance.now();
      await stepSummaries(context, accountId);
      await pause((performance.now() - started) * pauseFactor, { signal });
    }
  }
}

/** Does the next step for the summaries of an account. Does nothing when there is none to do. */
export async function stepSummaries(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: number,
  limits = defaultLimits,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    // Only now: another worker may have done the step. The lock keeps changes of the setting away.
    const state = await lockState(trx, accountId);
    if (state === undefined) return;
    const keptFrom = oldestMonth(now().getTime(), state.retention);
    const options = { accountId, keptFrom, now: now() };
    if (!state.wanted) await clearStep(trx, accountId, limits);
    else if (state.position !== null) await buildStep(trx, state, options, limits);
    else if (state.kept_from === null || state.kept_from < keptFrom) {
      await trimStep(trx, state, options, limits);
    }
  });
}

/** The state of an account, and for how many months it keeps activities. */
type AccountState = SummaryStateRow & { readonly retention: number };

const retention = sql<number>`coalesce((a.settings ->> 'activity_retention_months')::int, ${defaultAccountSettings.activity_retention_months})`;

async function lockState(trx: Database, accountId: number): Promise<AccountState | undefined> {
  const { rows } = await sql<AccountState>`
    select s.*, ${retention} as retention from activity_summary_states s join accounts a on a.account_id = s.account_id
    where s.account_id = ${accountId} and a.deleted_at is null for update of s`.execute(trx);
  return rows[0];
}

/** Returns the accounts whose summaries need work. */
async function accountsWithWork(context: Pick<Context, 'servers' | 'log' | 'now'>): Promise<number[]> {
  const current = oldestMonth(context.now().getTime(), 0);
  const rows = await findAccounts(
    context,
    ['activity_summary_states', 'accounts'],
    (t) => sql<{ account_id: number }>`
    select s.account_id from ${t.activity_summary_states} s join ${t.accounts} a on a.account_id = s.account_id
    where a.deleted_at is null
      and (not wanted or position is not null or kept_from is null or kept_from < ${current}::integer - ${retention})
    order by s.account_id`,
  );
  return rows.map((row) => row.account_id);
}

/** Computes the summaries of the next keys, and notes the progress. */
async function buildStep(
  trx: Database,
  { position, total }: SummaryStateRow,
  options: RecomputeOptions,
  limits: StepLimits,
): Promise<void> {
  const { accountId, keptFrom } = options;
  const after = position!;
  const all = after === '' ? await countActivities(trx, accountId) : total;
  const last = await lastKeyOfStep(trx, accountId, after, limits.activities);
  const activities = await recomputeSummaries(trx, { after, last }, options);
  await trx
    .updateTable('activity_summary_states')
    .where('account_id', '=', accountId)
    .set((eb) => ({
      position: last,
      done: eb('done', '+', activities),
      total: all,
      // As at the beginning: a month can pass until the end, and the first summaries are not trimmed.
      ...(after === '' ? { kept_from: keptFrom, trimmed_to: '' } : {}),
      ...(last === null ? { usable: true } : {}),
    }))
    .execute();
}

async function countActivities(trx: Database, accountId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::float8 as count from activity_counts where account_id = ${accountId}`.execute(trx);
  return rows[0]!.count;
}

/** Computes the next summaries again that have something older than the retention time. */
async function trimStep(
  trx: Database,
  state: SummaryStateRow,
  options: RecomputeOptions,
  limits: StepLimits,
): Promise<void> {
  const { accountId, keptFrom } = options;
  const keys = await keysWithOlder(trx, accountId, state.trimmed_to, keptFrom, limits.summaries);
  if (keys.length > 0) await recomputeSummaries(trx, { keys }, options);
  const isDone = keys.length < limits.summaries;
  await trx
    .updateTable('activity_summary_states')
    .where('account_id', '=', accountId)
    .set(isDone ? { kept_from: keptFrom, trimmed_to: '' } : { trimmed_to: keys.at(-1)! })
    .execute();
}

/** Deletes the next summaries of an account that does not want them any more. */
async function clearStep(trx: Database, accountId: number, { summaries }: StepLimits): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from activity_summaries where account_id = ${accountId} and ctid = any (array(
      select ctid from activity_summaries where account_id = ${accountId} limit ${summaries}))`.execute(trx);
  if (Number(numAffectedRows ?? 0) === summaries) return;
  await trx.deleteFrom('activity_summary_states').where('account_id', '=', accountId).execute();
}
