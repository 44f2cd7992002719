import type { Context } from '#platform/context.ts';
import { isLockTimeout } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { lookUntilFound } from '#platform/loops/look-until-found.ts';
import { findResult, withdrawRequest, type AppliedRequest } from './result-store.ts';

// An idle pipeline applies a request within some milliseconds. After a bulk load, looking more often would not help.
const looks = { first: 4, most: 100 };

/** How long to wait for a request. */
export interface Wait {
  /** The signal of the request or job that waits. When it is aborted the wait ends, and the request stays accepted. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the request is withdrawn; default 30 s. */
  readonly timeout?: number;
}

/**
 * Waits until an accepted request was applied, and returns how it ended.
 *
 * A request that has to wait for the requests before it for longer than the timeout is withdrawn: it is certain then that it changes nothing,
 * and the caller gets `pipeline_busy`. Throws the reason of the signal when it is aborted.
 */
export async function awaitResult(
  context: Pick<Context, 'db' | 'now'>,
  { accountId, requestId }: { readonly accountId: number; readonly requestId: string },
  { signal, timeout = 30_000 }: Wait,
): Promise<AppliedRequest> {
  const from = Date.now();
  const look = async (): Promise<AppliedRequest | undefined> => {
    const result = await findResult(context.db, accountId, requestId).catch((error: unknown) => {
      throw afterAcceptance(error, Date.now() - from);
    });
    // Another caller waited for the same request, by its idempotency key, and gave up first.
    if (result?.failures[0]?.code === 'withdrawn') throw busy();
    if (result !== undefined) return result;
    if (Date.now() > from + timeout && (await withdrawRequest(context.db, accountId, requestId, context.now())))
      throw busy();
    return undefined;
  };
  return (await lookUntilFound(look, { ...looks, signal }))!;
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
