import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { UpkeepTask } from '#platform/feature.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { clocksAgree } from '#platform/loops/clocks-agree.ts';
import { isWorthALine, repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { daysBefore, hour, minute, second } from '#platform/time/intervals.ts';
import { dayOf, lockPartitions, makePartitions } from '#pipeline/log/coming-partitions.ts';
import { dayOfPartition, partitionedTables } from '#pipeline/log/partitions.ts';
import { keepShardStatistics } from '#platform/database/layout/shard-statistics.ts';
import { readAllAccounts } from '#platform/database/layout/all-accounts.ts';
import { watchCluster } from './watch-cluster.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';

// How often the nodes of a cluster are measured, in milliseconds.
const clusterInterval = 15 * second;
// Milliseconds until a failed task is retried for the first time.
const retryAfter = 5000;

/**
 * Runs the upkeep tasks in the background: the partitions of requests, and the tasks of features.
 */
export function startUpkeep(context: Context): AsyncDisposable {
  const stopping = new AbortController();
  const tasks: readonly UpkeepTask[] = [
    { interval: hour, run: makePartitions },
    { interval: hour, run: deleteOldRequests, deletesByAge: true },
    { interval: clusterInterval, run: watchCluster },
    { interval: minute, run: keepShardStatistics },
    ...context.features.flatMap(({ upkeep = [] }) => upkeep),
  ];
  const { signal } = stopping;
  const onError = (error: unknown, failures: number): void => {
    const level = isWorthALine(failures, retryAfter) ? 'warn' : 'debug';
    context.log[level]({ err: describeError(error) }, 'upkeep failed; retrying');
  };
  const running = Promise.all(
    tasks.map(({ interval, run, deletesByAge }) => {
      const runOnce = async (): Promise<void> => {
        if (deletesByAge !== true || (await clocksAgree(context))) await run(context, signal);
      };
      return repeatUntilAborted(runOnce, { signal, interval: vary(interval), first: retryAfter, onError });
    }),
  );

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Returns an interval that is up to a tenth shorter or longer. Tasks with the same interval would
 * otherwise all run in the same moment, and each would open a connection.
 */
function vary(interval: number): number {
  return interval * (0.9 + Math.random() * 0.2);
}

/** Drops partitions whose requests are old and finished, and deletes idempotency keys after 24 hours. */
export async function deleteOldRequests(context: Context): Promise<void> {
  const today = dayOf(context.now());
  const oldest = today - context.config.requestRetentionDays;
  // Without the accounts of a node that does not respond, their requests would be dropped.
  const waiting = await readAllAccounts(
    context,
    ['request_queue'],
    ({ request_queue: queue }) => sql<{ oldest: Date | null }>`select min(accepted_at) as oldest from ${queue}`,
  );
  const firstWaiting = Math.min(today, ...waiting.flatMap((row) => (row.oldest === null ? [] : [dayOf(row.oldest)])));
  await context.db.transaction().execute(async (trx) => {
    const existing = await lockPartitions(trx);
    for (const table of partitionedTables) {
      for (const name of existing) {
        const day = dayOfPartition(table, name);
        // A partition with a request that is still in the queue is kept, however old it is.
        if (day !== undefined && day < oldest && day < firstWaiting) await sql`drop table ${sql.id(name)}`.execute(trx);
      }
    }
    await trx
      .deleteFrom('idempotency_keys')
      .where('accepted_at', '<', daysBefore(context.now(), 1))
      .modifyEnd(ofAllAccounts)
      .execute();
  });
}
