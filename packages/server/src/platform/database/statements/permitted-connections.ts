import type pg from 'pg';

/**
 * Returns how many connections the role of a client may open: the smallest limit of the server, the
 * role and the database. Assumes that the role is not a superuser, as far as the server is concerned.
 */
export async function permittedConnections(client: pg.Pool | pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ permitted: number }>(
    // PostgreSQL 15 has no `reserved_connections`. The limits of roles and databases do not hold for
    // superusers, and -1 means no limit.
    `select least(
       (select sum(case name when 'max_connections' then setting::int else -setting::int end)::int
        from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')),
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = session_user and not rolsuper),
       (select nullif(datconnlimit, -1) from pg_database, pg_roles
        where datname = current_database() and rolname = session_user and not rolsuper)) as permitted`,
  );
  return rows[0]!.permitted;
}
