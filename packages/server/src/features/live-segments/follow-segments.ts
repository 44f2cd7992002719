import { lockLane } from '#pipeline/queue/lane.ts';
import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { minute, second } from '#platform/time/intervals.ts';
import { accountsToFollow, lockLiveAccount } from './account-store.ts';
import { beginFilling } from './live-segment-store.ts';
import { stepLiveSegments } from './step.ts';

// How often all accounts are looked at for filters that changed and dates that moved.
const fullInterval = second;
// An account has its turn for this long, then the others have theirs.
const turn = second;

// An account that fails is tried again five times a second, and its warning is not repeated as often.
const warningInterval = minute;

const lastFull = new WeakMap<Context, number>();
/** When a warning about an account was logged last. */
const warnedAt = new WeakMap<Context, Map<number, number>>();

/**
 * Keeps the members of all live segments up to date. Accounts take turns. A failure of one account
 * does not stop the others. Several processes can do it at the same time.
 */
export async function followSegments(context: Context, signal: AbortSignal): Promise<void> {
  const isFull = performance.now() - (lastFull.get(context) ?? -Infinity) >= fullInterval;
  if (isFull) lastFull.set(context, performance.now());
  let accounts = await accountsToFollow(context, isFull);
  while (accounts.length > 0) {
    const unfinished: number[] = [];
    for (const accountId of accounts) {
      if (signal.aborted) return;
      try {
        if (await followAccount(context, accountId, signal)) unfinished.push(accountId);
      } catch (error) {
        warn(context, accountId, error);
      }
    }
    accounts = unfinished;
  }
}

function warn(context: Context, accountId: number, error: unknown): void {
  const warned = warnedAt.get(context) ?? new Map<number, number>();
  warnedAt.set(context, warned);
  const time = performance.now();
  if (time - (warned.get(accountId) ?? Number.NEGATIVE_INFINITY) < warningInterval) return;
  warned.set(accountId, time);
  context.log.warn({ account_id: accountId, err: describeError(error) }, 'could not follow live segments; retrying');
}

/** Follows the changes of an account for a turn. Returns true if there is more to do. */
async function followAccount(context: Context, accountId: number, signal: AbortSignal): Promise<boolean> {
  const { liveSegmentLag, liveSegmentChanges } = context.metrics;
  const until = performance.now() + turn;
  for (;;) {
    const { more, waiting, oldestChange, changes } = await stepLiveSegments(context, accountId);
    if (oldestChange !== undefined) liveSegmentLag.observe((context.now().getTime() - oldestChange.getTime()) / 1000);
    if (changes > 0) liveSegmentChanges.inc(changes);
    if (waiting) await startFilling(context, accountId);
    if (!more && !waiting) return false;
    if (signal.aborted || performance.now() > until) return more || waiting;
  }
}

/**
 * Begins to fill the segments that wait. Takes all lanes of the account for a moment. So every batch
 * that was planned without their inputs is committed, and the fill sees it.
 */
export async function startFilling(context: Context, accountId: number): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    await lockLiveAccount(trx, accountId);
    await beginFilling(trx, accountId, context.now());
  });
}
