import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { literalSql } from './literal-sql.ts';

/** The statements of one transaction. */
export type Transaction = readonly RawBuilder<unknown>[];

/**
 * The first statement of a transaction whose commit does not wait for the disk. When the server
 * crashes, the newest such transactions of some tenths of a second are lost. Older ones never are.
 */
export const withoutWaitingForDisk = sql`set local synchronous_commit = off`;

/**
 * Runs transactions one after the other and sends them in one message, which saves round trips.
 * Returns the rows of the last statement of each transaction.
 *
 * Each statement sees everything that was committed before it began, even if earlier statements
 * waited for a lock. When a statement fails, its transaction is rolled back, earlier transactions
 * stay committed, and later ones do not run.
 */
export async function inOneMessage(pool: pg.Pool, transactions: readonly Transaction[]): Promise<unknown[][]> {
  const statements = transactions.flatMap((transaction) => ['begin', ...transaction.map(literalSql), 'commit']);
  const client = await pool.connect();
  try {
    // A message without parameters can have several statements. Then the result is an array,
    // although the types do not say so.
    const results = (await client.query(statements.join(';\n'))) as unknown as pg.QueryResult[];
    let at = 0;
    return transactions.map(({ length }) => {
      at += length + 2;
      return results[at - 2]!.rows as unknown[];
    });
  } catch (error) {
    // This fails on a broken connection, too. Then the server has already rolled back.
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
