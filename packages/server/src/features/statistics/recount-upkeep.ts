import { endCountRebuild, listCountRebuilds, type CountRebuild } from '#features/accounts/store/count-rebuild-store.ts';
import type { Context } from '#platform/context.ts';
import { recount } from './recount.ts';

// Accounts that one run loads. The next run continues.
const accountsPerRun = 100;

/**
 * Computes the counts of accounts again that were never counted, or that have a new time zone. An
 * interrupted run is repeated. An account that fails, such as one on a node that is down, does not
 * stop the others. Throws the first error at the end.
 */
export async function recountAccounts(context: Context, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const rebuild of await listCountRebuilds(context.db, accountsPerRun)) {
    try {
      await recountAccount(context, rebuild, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function recountAccount(context: Context, rebuild: CountRebuild, signal: AbortSignal): Promise<void> {
  const { accountId, isFirst } = rebuild;
  const corrected = await recount(context.pool, {
    accountId,
    isFirst,
    at: context.now(),
    isCorrected: true,
    signal,
  });
  await endCountRebuild(context.db, rebuild);
  context.log.info({ account_id: accountId, corrected }, 'computed the counts of an account again');
}
