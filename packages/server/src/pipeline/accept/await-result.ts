import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#platform/context.ts';
import { isLockTimeout } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { findResult, withdrawRequest, type AppliedRequest } from './result-store.ts';

// Beside an idle pipeline a request is applied within some milliseconds; behind a bulk load, looking more often would not help.
const looks = { first: 4, most: 100 };

/**
 * Waits until an accepted request was applied, for operations that answer with the result (decisions §4).
 *
 * A request that the requests before it hold up for longer than `patience` milliseconds is withdrawn: it is certain then that it changes
 * nothing, and the caller gets `pipeline_busy`.
 */
export async function awaitResult(
  context: Pick<Context, 'db' | 'now'>,
  accountId: number,
  requestId: string,
  patience = 30_000,
): Promise<AppliedRequest> {
  const from = Date.now();
  const until = from + patience;
  for (let wait = looks.first; ; wait = Math.min(wait * 2, looks.most)) {
    const result = await findResult(context.db, accountId, requestId).catch((error: unknown) => {
      throw afterAcceptance(error, Date.now() - from);
    });
    if (result !== undefined) {
      // Another caller waited for the same request, by its idempotency key, and lost patience first.
      if (result.failures[0]?.code === 'withdrawn') throw busy();
      return result;
    }
    if (Date.now() > until && (await withdrawRequest(context.db, accountId, requestId, context.now()))) throw busy();
    await sleep(wait);
  }
}

function busy(): ApiError {
  return new ApiError('pipeline_busy', { headers: { 'retry-after': '5' } });
}

/** The request is accepted: an error that promises that nothing was stored would be wrong. */
function afterAcceptance(error: unknown, milliseconds: number): unknown {
  if (!isLockTimeout(error) && !(error instanceof DatabaseBusy)) return error;
  return new ApiError('timed_out', {
    params: { seconds: Math.round(milliseconds / 1000) },
    headers: { 'retry-after': '5' },
    cause: error,
  });
}
