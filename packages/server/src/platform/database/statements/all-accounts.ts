import { sql } from 'kysely';

/**
 * Marks a statement that reads rows of all accounts on purpose, such as upkeep. On a cluster, it asks
 * every node. The tests refuse such a statement without this mark, if it reads a table that a cluster
 * distributes (`test/support/account-partitions.ts`).
 */
export const ofAllAccounts = sql`/* all accounts */`;
