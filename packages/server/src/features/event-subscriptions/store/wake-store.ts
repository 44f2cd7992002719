import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { findInAccounts } from '#platform/database/layout/all-accounts.ts';
import { addedJobs } from '#platform/jobs/jobs.ts';
import type { SubscriptionKey } from './subscription-store.ts';

/** A subscription without a job. */
export interface IdleSubscription extends SubscriptionKey {
  readonly position: number;
  /** True: a delivery is due. */
  readonly hasDue: boolean;
  /** True: a delivery of the feed waits for its next attempt. */
  readonly blocked: boolean;
}

/** Lists the subscriptions of all accounts that are active and have no job. */
export async function listIdle(db: Database): Promise<IdleSubscription[]> {
  const pending = sql`from event_deliveries d
    where d.account_id = s.account_id and d.subscription_id = s.subscription_id and d.status = 'pending'`;
  const { rows } = await sql<IdleSubscription>`
    select s.account_id as "accountId", s.subscription_id as "subscriptionId", s.position,
      exists (select 1 ${pending} and d.next_attempt_at <= now()) as "hasDue",
      exists (select 1 ${pending} and not d.replayed) as blocked
    from event_subscriptions s join accounts a using (account_id)
    where s.phase = 'idle' and s.paused_at is null and a.deleted_at is null`.execute(db);
  return rows;
}

/**
 * Loads the position of the newest event of some accounts. Leaves out those on a node of a cluster
 * that does not respond.
 */
export async function loadLastPositions(
  context: Pick<Context, 'servers' | 'log'>,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await findInAccounts(
    context,
    ['event_feeds'],
    accountIds.map((accountId) => ({ accountId })),
    ({ event_feeds: feeds }, own) => sql<{ account_id: number; last_position: number }>`
    select account_id, last_position from ${feeds}
    where account_id = any (${own.map(({ accountId }) => accountId)}::int[])`,
  );
  return new Map(rows.map((row) => [row.account_id, row.last_position]));
}

/** Lists the subscriptions that have a job. */
export async function listQueued(db: Database): Promise<SubscriptionKey[]> {
  return db
    .selectFrom('event_subscriptions')
    .where('phase', '=', 'queued')
    .select(['account_id as accountId', 'subscription_id as subscriptionId'])
    .execute();
}

/**
 * Adds a job for each of some subscriptions, unless another process has added it meanwhile. Leaves out
 * those that another process has locked: two processes that lock them in different orders would wait
 * for each other.
 */
export async function queueSubscriptions(db: Database, keys: readonly SubscriptionKey[]): Promise<void> {
  await sql`
    with free as (
      select s.account_id, s.subscription_id
      from unnest(${keys.map((key) => key.accountId)}::int[], ${keys.map((key) => key.subscriptionId)}::uuid[])
        as k (account_id, subscription_id)
      join event_subscriptions s on s.account_id = k.account_id and s.subscription_id = k.subscription_id
      where s.phase = 'idle' and s.paused_at is null
      for update of s skip locked
    ), woken as (
      update event_subscriptions s set phase = 'queued', job_id = null
      from free where s.account_id = free.account_id and s.subscription_id = free.subscription_id
      returning s.account_id, s.subscription_id
    ) ${addedJobs(
      'send_events',
      sql`
        select json_build_object('account_id', account_id, 'subscription_id', subscription_id) as payload, null::text as queue,
          null::timestamptz as run_at, null::int as max_attempts, 'send_events:' || subscription_id as key,
          null::int as priority
        from woken`,
    )}`.execute(db);
}

/** Makes a subscription idle whose job is gone. */
export async function unqueue(db: Database, { accountId, subscriptionId }: SubscriptionKey): Promise<void> {
  await db
    .updateTable('event_subscriptions')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', subscriptionId)
    .where('phase', '=', 'queued')
    .set({ phase: 'idle', job_id: null })
    .execute();
}
