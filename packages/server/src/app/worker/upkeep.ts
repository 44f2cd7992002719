import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { UpkeepTask } from '#platform/feature.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { hour } from '#platform/time/intervals.ts';
import { dayOf, makePartitions } from '#pipeline/log/coming-partitions.ts';
import { dayOfPartition, partitionedTables } from '#pipeline/log/partitions.ts';

// What was not done for another reason than a stop is tried again after so many milliseconds.
const retryAfter = 5000;

/** Keeps the tables in shape in the background: the partitions of requests, and what the features ask for. */
export function startUpkeep(context: Context): AsyncDisposable {
  const stopping = new AbortController();
  const tasks: readonly UpkeepTask[] = [
    { interval: hour, run: keepPartitions },
    ...context.features.flatMap(({ upkeep = [] }) => upkeep),
  ];
  const { signal } = stopping;
  const onError = (error: unknown): void =>
    context.log.warn({ err: describeError(error) }, 'upkeep failed; it is tried again');
  const running = Promise.all(
    tasks.map(({ interval, run }) =>
      repeatUntilAborted(() => run(context, signal), { signal, interval, first: retryAfter, onError }),
    ),
  );

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

/** Makes the partitions of the coming days, drops those whose requests are old and finished, and forgets old idempotency keys. */
export async function keepPartitions(context: Context): Promise<void> {
  const today = dayOf(context.now());
  const oldest = today - context.config.requestRetentionDays;
  await context.db.transaction().execute(async (trx) => {
    const existing = await makePartitions(trx, context);
    const waiting = await trx
      .selectFrom('request_queue')
      .select((eb) => eb.fn.min('accepted_at').as('oldest'))
      .executeTakeFirst();
    const firstWaiting = waiting?.oldest == null ? today : dayOf(new Date(waiting.oldest));
    for (const table of partitionedTables) {
      for (const name of existing) {
        const day = dayOfPartition(table, name);
        // A day with a request that still waits is kept, however old it is.
        if (day !== undefined && day < oldest && day < firstWaiting) await sql`drop table ${sql.id(name)}`.execute(trx);
      }
    }
    await trx
      .deleteFrom('idempotency_keys')
      .where('accepted_at', '<', new Date(context.now().getTime() - 24 * hour))
      .execute();
  });
}
