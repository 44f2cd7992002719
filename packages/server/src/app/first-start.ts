import { addList } from '#features/audiences/lists.ts';
import type { Context } from '#platform/context.ts';
import { addAccount } from '#features/accounts/accounts.ts';
import { hasAccounts, lockFirstStart, restartAccountIds } from '#features/accounts/store/account-store.ts';

/** The account that the first start created. */
export interface FirstAccount {
  readonly accountId: number;
  /** The API key in plain text. The database holds only its hash. */
  readonly apiKey: string;
  /** True if the key is `ROSTER_API_KEY`; false if it was generated and must be shown now. */
  readonly isKeyGiven: boolean;
  /** Number of the list that was created with the account. */
  readonly audienceId: number;
}

/**
 * Creates account 1 with an API key and a list if the database has no account. Returns undefined if
 * it has one.
 *
 * The key is `ROSTER_API_KEY`, or else generated. Any number of processes may call this at the same
 * time; a lock lets only one of them create the account.
 */
export async function ensureFirstAccount(context: Context): Promise<FirstAccount | undefined> {
  if (await hasAccounts(context.db)) return undefined;
  return context.db.transaction().execute(async (trx) => {
    await lockFirstStart(trx);
    if (await hasAccounts(trx)) return undefined;
    // A first start that was rolled back has used a number of the sequence. The guides expect
    // account 1.
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
