import type pg from 'pg';

/** Returns the process of the server that serves a connection. See {@link noteProcessId}. */
export const processIdStatement = 'select pg_backend_pid() as id';

const ids = new WeakMap<pg.ClientBase, number>();

/**
 * Remembers the result of {@link processIdStatement} for a connection. A connection pooler such as
 * PgBouncer sends a number of its own when the connection begins, and no process has that number.
 */
export function noteProcessId(client: pg.ClientBase, { rows }: pg.QueryResult<{ readonly id: number }>): void {
  ids.set(client, rows[0]!.id);
}

/**
 * Returns the process id of the server for a connection: the remembered one, or the one that was
 * sent when the connection began. The types of the client lack the latter.
 */
export function processIdOf(client: pg.ClientBase): number | undefined {
  return ids.get(client) ?? (client as pg.ClientBase & { readonly processID?: number }).processID;
}
