import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import type { Context } from '#platform/context.ts';
import { findExistingLists } from '#features/audiences/list-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { insertRequests, type NewRequest } from '#pipeline/accept/accept-store.ts';
import { positionsFor } from '#pipeline/accept/acceptor.ts';
import { dayOf } from '#features/accounts/daily-limit/daily-limit.ts';
import { admitRequests } from '#features/accounts/daily-limit/day-store.ts';
import { insertJobs, type BatchJobRow } from './job-store.ts';

/** A batch to store. */
export interface NewBatch {
  readonly credential: Credential;
  readonly request: NewRequest;
  readonly job: BatchJobRow;
  /** True when the `primarykey` of the batch is the primary key of the account. */
  readonly fitsPrimaryKey: boolean;
  /** Hash of the body for the idempotency key; undefined without a key. */
  readonly bodyHash: Uint8Array | undefined;
}

/** `accepted`, or the error code of a refused batch. */
export type Outcome = 'accepted' | 'batch_list_unknown' | 'batch_primarykey_differs' | 'batch_limit_reached';

/** From this share of the daily limit on, the log has a warning. */
const warnedShare = 0.8;

/**
 * Stores batches of one account, in order, up to the daily limit. Refuses the batches after that,
 * and batches with a wrong list or primary key. A refused batch does not count. Returns the
 * outcomes.
 */
export async function storeBatches(
  trx: Database,
  context: Pick<Context, 'config' | 'log' | 'metrics' | 'now'>,
  batches: readonly NewBatch[],
): Promise<Outcome[]> {
  const { accountId } = batches[0]!.credential;
  const lists = await findExistingLists(trx, accountId, [...new Set(batches.map(({ job }) => job.list_id))]);
  const candidates = batches.filter(({ job, fitsPrimaryKey }) => fitsPrimaryKey && lists.has(job.list_id));
  const admitted = new Set(candidates.slice(0, await admit(trx, context, candidates)));
  const accepted = [...admitted];
  if (accepted.length > 0) {
    await insertJobs(
      trx,
      accepted.map(({ job }) => job),
    );
    await insertRequests(
      trx,
      accepted.map(({ request }) => request),
      await positionsFor(context.config, trx, accepted.length),
    );
  }
  return batches.map((batch) => {
    if (!lists.has(batch.job.list_id)) return 'batch_list_unknown';
    if (!batch.fitsPrimaryKey) return 'batch_primarykey_differs';
    return admitted.has(batch) ? 'accepted' : 'batch_limit_reached';
  });
}

/** Counts batches towards the daily limit of their account. Returns how many are within it. */
async function admit(
  trx: Database,
  { log, metrics, now }: Pick<Context, 'log' | 'metrics' | 'now'>,
  batches: readonly NewBatch[],
): Promise<number> {
  const newest = batches.at(-1)?.credential;
  if (newest === undefined) return 0;
  const { accountId, timeZone, settings } = newest;
  const { daily_batch_limit: limit } = effectiveSettings(settings);
  const { day } = dayOf(timeZone, now());
  const { admitted, used } = await admitRequests(trx, { accountId, day }, batches.length, limit);
  const warnedAt = Math.ceil(limit * warnedShare);
  if (used >= warnedAt && used - admitted < warnedAt) {
    log.warn({ account_id: accountId, used, limit }, 'an account has used most of its daily_batch_limit');
  }
  if (admitted < batches.length) metrics.batchesRefused.inc(batches.length - admitted);
  return admitted;
}
