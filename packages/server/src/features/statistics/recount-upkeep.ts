import { endCountRebuild, listCountRebuilds } from '#features/accounts/store/count-rebuild-store.ts';
import type { Context } from '#platform/context.ts';
import { recount } from './recount.ts';

// Accounts that one run loads. The next run continues.
const accountsPerRun = 100;

/**
 * Computes the counts of accounts again that were never counted, or that have a new time zone. An
 * interrupted run is repeated.
 */
export async function recountAccounts(context: Context, signal: AbortSignal): Promise<void> {
  for (const rebuild of await listCountRebuilds(context.db, accountsPerRun)) {
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
}
