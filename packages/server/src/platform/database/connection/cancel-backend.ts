import type pg from 'pg';
import { within } from '#platform/loops/within.ts';
import { databaseFault } from './database-fault.ts';
import { describeError } from './describe-error.ts';
import { Pool } from './pool.ts';

/** Milliseconds to wait for the response to a cancellation. A paused database never sends one. */
const timeoutMs = 3000;

/**
 * Asks the server to cancel the statement on another connection. Never rejects, because a
 * cancellation is best effort.
 *
 * Resolves with true when the server has responded. With false, the cancellation may still happen
 * later, so do not use that connection again. If the server refuses the statement, this is a defect,
 * and it is logged: without cancellations, a search that nobody waits for runs to its end.
 *
 * The parameter has a type because extensions add functions of the same name (Citus has one for
 * bigint), and an untyped call would be ambiguous.
 */
export async function cancelBackend(pool: pg.Pool, processId: number | undefined): Promise<boolean> {
  const answer = pool.query('select pg_cancel_backend($1::int)', [processId]).then(
    () => true,
    (error: unknown) => {
      if (databaseFault(error) === 'data' && pool instanceof Pool) {
        pool.logger.error({ err: describeError(error) }, 'the server refused to cancel a statement');
      }
      return false;
    },
  );
  return within(timeoutMs, answer, () => false);
}
