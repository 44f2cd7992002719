import type { Context } from '#platform/context.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { listIdle, listQueued, loadLastPositions, queueSubscriptions, unqueue } from '../store/wake-store.ts';

/**
 * Jobs of one account at the same time, in all processes. This is a quarter of the jobs of one
 * process, so an account with many slow receivers does not delay other accounts.
 */
const jobsPerAccount = 8;

/** Adds a job for each subscription that has something to send, and no job yet. */
export async function wakeSubscriptions(context: Context): Promise<void> {
  const { db } = context;
  const idle = await listIdle(db);
  if (idle.length === 0) return;
  const last = await loadLastPositions(context, [...new Set(idle.map((one) => one.accountId))]);
  const wanted = idle.filter(
    ({ accountId, position, hasDue, blocked }) => hasDue || (!blocked && (last.get(accountId) ?? 0) > position),
  );
  if (wanted.length === 0) return;
  const free = new Map<number, number>();
  for (const { accountId } of await listQueued(db)) free.set(accountId, (free.get(accountId) ?? jobsPerAccount) - 1);
  // In random order, so that no subscription of an account always comes first.
  const chosen = wanted
    .map((one) => ({ one, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .flatMap(({ one }) => {
      const left = free.get(one.accountId) ?? jobsPerAccount;
      free.set(one.accountId, left - 1);
      return left > 0 ? [one] : [];
    });
  if (chosen.length > 0) await queueSubscriptions(db, chosen);
}

/** Makes subscriptions idle whose job was given up, so that they get another one. */
export async function freeAbandoned({ db }: Context): Promise<void> {
  for (const key of await listQueued(db)) {
    if (!(await isJobAlive(db, 'send_events', key.subscriptionId))) await unqueue(db, key);
  }
}
