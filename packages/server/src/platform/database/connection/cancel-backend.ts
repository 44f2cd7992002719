import type pg from 'pg';

/** Milliseconds to wait for the answer to a cancellation. A database that is paused never sends one. */
const patience = 3000;

/**
 * Asks the server to cancel the statement that another connection runs. Never rejects, because a cancellation is best effort.
 *
 * Resolves with true when the server has answered. With false, the cancellation may still come later: do not use that connection again.
 *
 * The parameter has a type: extensions add functions of the same name (Citus has one for bigint), and the call would be ambiguous.
 */
export async function cancelBackend(pool: pg.Pool, processId: number | undefined): Promise<boolean> {
  const answer = pool.query('select pg_cancel_backend($1::int)', [processId]).then(
    () => true,
    () => false,
  );
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), patience);
  try {
    return await Promise.race([answer, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The number of the server process of a connection, which the client learns when it connects; its types leave it out. */
export function processIdOf(client: pg.ClientBase): number | undefined {
  return (client as pg.ClientBase & { readonly processID?: number }).processID;
}
