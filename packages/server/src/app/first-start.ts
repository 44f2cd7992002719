import { addList } from '#features/audiences/lists.ts';
import type { Context } from '#platform/context.ts';
import { addAccount } from '#features/accounts/accounts.ts';
import { hasAccounts, lockFirstStart, restartAccountIds } from '#features/accounts/store/account-store.ts';

/** What the first start made. */
export interface FirstAccount {
  readonly accountId: number;
  /** The API key, which is stored hashed. */
  readonly apiKey: string;
  /** True when the key came from `ROSTER_API_KEY`; else it was generated, and is shown this once. */
  readonly isKeyGiven: boolean;
  /** Number of its list. */
  readonly audienceId: number;
}

/**
 * Makes account 1 with a key and a list when the database has no account, and answers them; undefined when it has one.
 *
 * The key is `ROSTER_API_KEY`, or generated. Safe under any number of concurrent starters: one of them makes the account.
 */
export async function ensureFirstAccount(context: Context): Promise<FirstAccount | undefined> {
  if (await hasAccounts(context.db)) return undefined;
  return context.db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    if (await hasAccounts(trx)) return undefined;
    // A first start that failed half-way has used up a number; the account that people read about in the guides is account 1.
    await restartAccountIds(trx);
    const { account, apiKey } = await addAccount(
      trx,
      context,
      { name: 'First account' },
      'system',
      context.config.apiKey,
    );
    const list = await addList(trx, context, account.account_id, 'First list', 'system');
    const isKeyGiven = context.config.apiKey !== undefined;
    return { accountId: account.account_id, apiKey, isKeyGiven, audienceId: list.audience_id };
  });
}
