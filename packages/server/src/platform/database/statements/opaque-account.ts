import { sql, type RawBuilder } from 'kysely';

/**
 * The account of a statement that looks up single rows, as the first parameter of its text: `account_id = ${opaqueFirstParameter}`.
 *
 * Of a number that it sees, the planner asks the statistics how many rows it has, and of an account that is younger than they are it takes one
 * for the answer: every index that begins with `account_id` then seems as good as that of the looked-up column, and the one that it takes may
 * lead through the whole account, for each value. It cannot see through a sub-select: it takes the account for as large as those that the
 * statistics know, and the index that leads to the row itself wins. What holds in all states and what it costs: docs/decisions/0001.
 *
 * Not for searches and counts, whose plans depend on the size of the very account.
 */
export const opaqueFirstParameter = '(select $1::int)';

/** The same, for a statement that numbers its parameters itself: `account_id = ${opaqueAccount(accountId)}`; see {@link opaqueFirstParameter}. */
export function opaqueAccount(accountId: number): RawBuilder<number> {
  return sql<number>`(select ${accountId}::int)`;
}
