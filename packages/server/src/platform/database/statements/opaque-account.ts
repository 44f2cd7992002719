import { sql, type RawBuilder } from 'kysely';

/**
 * SQL for the account as the first parameter, for statements that look up single rows:
 * `account_id = ${opaqueFirstParameter()}`.
 *
 * If the planner sees the account number, it uses the statistics of that account. For an account
 * that is newer than the statistics, it expects one row. Then every index that begins with
 * `account_id` looks equally good, and it may scan the whole account for each value. The planner
 * cannot see through a sub-select. It then expects an account of usual size and chooses the right
 * index. See docs/decisions/0001 for the costs.
 *
 * A cluster must see the account number, because it finds the node of the account by it
 * ({@link showAccounts}). Statements on the table of a shard use {@link hiddenFirstParameter}.
 *
 * Do not use it for searches and counts. Their plans depend on the size of the account.
 */
export function opaqueFirstParameter(): string {
  return isShown ? '$1::int' : hiddenFirstParameter;
}

/** Like {@link opaqueFirstParameter}, but hides the account on a cluster, too. */
export const hiddenFirstParameter = '(select $1::int)';

/** {@link opaqueFirstParameter} for the query builder, which numbers its parameters. */
export function opaqueAccount(accountId: number): RawBuilder<number> {
  return isShown ? sql<number>`${accountId}::int` : sql<number>`(select ${accountId}::int)`;
}

/** True when every statement must show the account ({@link showAccounts}). */
export function areAccountsShown(): boolean {
  return isShown;
}

// A process has one database, so this is the same for all its statements.
let isShown = false;

/** Shows the account in all statements of the process from now on, as a cluster needs it, or hides it. */
export function showAccounts(shown: boolean): void {
  isShown = shown;
}
