import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { moveActivities } from '../activities/moves.ts';
import { keepActivities } from '../activities/retention.ts';
import { keepIndexSizes } from '../index-sizes/keep-index-sizes.ts';
import { keepIndexes } from '../attribute-indexes/keep-indexes.ts';
import { keepBackups } from '../backups/keep-backups.ts';
import { forgetOldDays } from '../batch-add/daily-limit.ts';
import { sweepContacts } from '../contacts/sweep.ts';
import type { Context } from '../context.ts';
import { forgetOldDeliveries } from '../delivery/delivery-upkeep.ts';
import { keepErasures } from '../erasures/keep-erasures.ts';
import { deleteExpiredFiles, endAbandonedExports } from '../exports/keep-exports.ts';
import { keepImports } from '../imports/keep-imports.ts';
import { forgetOldExports } from '../exports/forget-exports.ts';
import { forgetOldMails } from '../mails/mail-upkeep.ts';
import { describeError } from '../observability/describe-error.ts';
import { deleteSignUpsBefore } from '../sign-ups/sign-up-store.ts';
import { dayOf, makePartitions } from './coming-partitions.ts';
import { dayOfPartition, partitionedTables } from './partitions.ts';

const hour = 3_600_000;
const minute = 60_000;
const sweepInterval = 1000;
// An operator who asks for an index waits for no more than this until it is begun.
const indexInterval = 500;

/**
 * Keeps the tables in shape, in the background: partitions, old requests, idempotency keys, old mails, deliveries, exports and activities, expired
 * sign-ups, files of exports and imports, what deletions and erasures leave to do, indexes on the values of attributes, and
 * indexes that have grown.
 */
export function startUpkeep(context: Context): AsyncDisposable {
  const stopping = new AbortController();
  const running = Promise.all([
    repeat(hour, () => keepPartitions(context)),
    repeat(hour, () => forgetOldMails(context, stopping.signal)),
    repeat(hour, () => deleteSignUpsBefore(context.db, context.now())),
    repeat(hour, () => forgetOldDays(context)),
    repeat(hour, () => forgetOldDeliveries(context, stopping.signal)),
    repeat(minute, () => deleteExpiredFiles(context, stopping.signal)),
    repeat(hour, () => forgetOldExports(context, stopping.signal)),
    repeat(minute, () => endAbandonedExports(context, stopping.signal)),
    repeat(minute, () => keepImports(context, stopping.signal)),
    repeat(hour, () => keepActivities(context, stopping.signal)),
    repeat(hour, () => keepErasures(context, stopping.signal)),
    repeat(minute, () => keepBackups(context, stopping.signal)),
    repeat(sweepInterval, () => sweepContacts(context, stopping.signal)),
    repeat(sweepInterval, () => moveActivities(context, stopping.signal)),
    repeat(10 * minute, () => keepIndexSizes(context, stopping.signal)),
    repeat(indexInterval, () => keepIndexes(context, stopping.signal)),
  ]);

  async function repeat(interval: number, task: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await task();
      } catch (error) {
        context.log.warn({ err: describeError(error) }, 'upkeep failed; it is tried again');
        await sleep(5000, undefined, { signal: stopping.signal }).catch(() => undefined);
        continue;
      }
      await sleep(interval, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

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
