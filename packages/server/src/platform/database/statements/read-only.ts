import type pg from 'pg';

/** SQL: true when the server refuses writes: it is a standby, or `default_transaction_read_only` is on. */
export const isReadOnly = `current_setting('transaction_read_only') = 'on'`;

/**
 * Throws an error with {@link readOnlyCode} when the server of a pool is read-only, and changes
 * nothing. The pool then closes the connection: only its session may be read-only, such as when it
 * is older than the end of a failover.
 */
export async function requireWrites(pool: pg.Pool): Promise<void> {
  await pool.query('select from kysely_migration where false for update');
}

/** Returns why the server refuses writes; undefined when it accepts them. */
export async function readOnlyReason(
  client: pg.Pool | pg.ClientBase,
): Promise<'standby' | 'default_transaction_read_only' | undefined> {
  const { rows } = await client.query<{ refuses: boolean; standby: boolean }>(
    `select ${isReadOnly} as refuses, pg_is_in_recovery() as standby`,
  );
  const { refuses, standby } = rows[0]!;
  if (!refuses) return undefined;
  return standby ? 'standby' : 'default_transaction_read_only';
}

/**
 * Says that a server refuses writes, and what to do. `server`: what it is, such as `database server`.
 * `primary`: what to do when another server is the primary.
 */
export function explainReadOnly(
  server: string,
  reason: 'standby' | 'default_transaction_read_only',
  primary: string,
): { readonly message: string; readonly advice: string } {
  return reason === 'standby'
    ? {
        message: `The ${server} is read-only, because it is a standby.`,
        advice: `${primary}, or promote this server.`,
      }
    : {
        message: `The ${server} is read-only: default_transaction_read_only is on.`,
        advice: 'Turn it off in postgresql.conf, or for the role or the database.',
      };
}
