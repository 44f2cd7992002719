import type { Context } from '#platform/context.ts';
import { isLockTimeout } from '#platform/database/connection/database.ts';
import { DatabaseBusy } from '#platform/database/connection/database-watch.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { pollUntilFound } from '#platform/loops/poll-until-found.ts';
import { withdrawRequest } from '../queue/withdraw.ts';
import { findResult, type AppliedRequest } from './result-store.ts';

// Milliseconds. An idle pipeline applies a request within some milliseconds. When the pipeline is
// busy, polling more often would not help.
const pollPauses = { first: 4, max: 100 };

/** How long to wait for a request. */
export interface Wait {
  /** Ends the wait when it is aborted. The request stays accepted. */
  readonly signal: AbortSignal;
  /** Milliseconds after which the request is withdrawn; default 30 s. */
  readonly timeout?: number;
}

/**
 * Waits until an accepted request is applied, and returns its result.
 *
 * When older requests delay it for longer than the timeout, the request is withdrawn. Then it
 * certainly changes nothing, and the caller gets `pipeline_busy`. Throws the reason of the signal
 * when that is aborted.
 */
export async function awaitResult(
  context: Pick<Context, 'databaseTurns' | 'db' | 'now' | 'pool'>,
  { accountId, requestId }: { readonly accountId: number; readonly requestId: string },
  { signal, timeout = 30_000 }: Wait,
): Promise<AppliedRequest> {
  context.databaseTurns.end();
  const from = performance.now();
  const look = async (): Promise<AppliedRequest | undefined> => {
    // A thousand callers can wait at the same time. Their looks must not take all connections.
    const find = () => findResult(context.db, accountId, requestId);
    const result = await context.databaseTurns.run(accountId, signal, find).catch((error: unknown) => {
      throw afterAcceptance(error, performance.now() - from);
    });
    // Another caller waited for the same request, with the same idempotency key, and withdrew it.
    if (result?.failures[0]?.code === 'withdrawn') throw busy();
    if (result !== undefined) return result;
    if (
      performance.now() > from + timeout &&
      (await withdrawRequest(context.pool, accountId, requestId, context.now()))
    )
      throw busy();
    return undefined;
  };
  return (await pollUntilFound(look, { ...pollPauses, signal }))!;
}

function busy(): ApiError {
  return new ApiError('pipeline_busy', { headers: { 'retry-after': '5' } });
}

/** Replaces errors that promise that nothing was stored. The request is already accepted. */
function afterAcceptance(error: unknown, milliseconds: number): unknown {
  const isRefusal = error instanceof ApiError && error.code === 'overloaded';
  if (!isRefusal && !isLockTimeout(error) && !(error instanceof DatabaseBusy)) return error;
  return new ApiError('timed_out', {
    params: { seconds: Math.round(milliseconds / 1000) },
    headers: { 'retry-after': '5' },
    cause: error,
  });
}
