import { sql, type RawBuilder } from 'kysely';
import type pg from 'pg';
import { literalSql } from './literal-sql.ts';

/** Statements that are one transaction. */
export type Transaction = readonly RawBuilder<unknown>[];

/**
 * The first statement of a transaction whose commit is not to wait for the disk. When the server crashes, some tenths of a second are lost of what
 * was committed in this way: always the newest, so that whatever of it is left has all that was committed before it.
 */
export const withoutWaitingForDisk = sql`set local synchronous_commit = off`;

/**
 * Runs transactions one after the other and sends them in one message, so that the server is waited for once and not once for each statement.
 * Answers the rows of the last statement of each.
 *
 * What a statement sees is as ever: all that was committed before it began, also while those before it waited for a lock. When one fails,
 * its transaction is rolled back, those before it are committed, and those behind it do not run.
 */
export async function inOneMessage(pool: pg.Pool, transactions: readonly Transaction[]): Promise<unknown[][]> {
  const statements = transactions.flatMap((transaction) => ['begin', ...transaction.map(literalSql), 'commit']);
  const client = await pool.connect();
  try {
    // A message without parameters can have several statements; its types do not say that they are answered as a list.
    const answers = (await client.query(statements.join(';\n'))) as unknown as pg.QueryResult[];
    let at = 0;
    return transactions.map(({ length }) => {
      at += length + 2;
      return answers[at - 2]!.rows as unknown[];
    });
  } catch (error) {
    // On a broken connection this fails too; the server has rolled back by itself then.
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
