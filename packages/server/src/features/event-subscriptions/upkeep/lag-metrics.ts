import type { Context } from '#platform/context.ts';
import { loadLags } from '../store/lag-store.ts';

// Each subscription is a series of the metrics. Those that are furthest behind are shown.
const shown = 100;

/** Measures how far the subscriptions of all accounts are behind, for the metrics. */
export async function measureLags({ db, metrics, now }: Context): Promise<void> {
  const rows = await db
    .selectFrom('event_subscriptions')
    .select(['account_id', 'subscription_id', 'position', 'paused_at'])
    .execute();
  const at = now();
  const found: { readonly labels: { account_id: number; subscription_id: string }; events: number; seconds: number }[] =
    [];
  for (const [accountId, own] of Map.groupBy(rows, (row) => row.account_id)) {
    const positions = own.map((row) => row.position);
    for (const [index, lag] of (await loadLags(db, accountId, positions, at)).entries()) {
      found.push({ ...lag, labels: { account_id: accountId, subscription_id: own[index]!.subscription_id } });
    }
  }
  found.sort((a, b) => b.seconds - a.seconds || b.events - a.events);
  metrics.eventLagEvents.reset();
  metrics.eventLagSeconds.reset();
  for (const { labels, events, seconds } of found.slice(0, shown)) {
    metrics.eventLagEvents.set(labels, events);
    metrics.eventLagSeconds.set(labels, seconds);
  }
  const paused = rows.filter((row) => row.paused_at !== null).length;
  metrics.eventSubscriptions.set({ status: 'paused' }, paused);
  metrics.eventSubscriptions.set({ status: 'active' }, rows.length - paused);
}
