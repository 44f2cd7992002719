import type pg from 'pg';

/** Returns how many connections the server permits to a user who is not a superuser. */
export async function permittedConnections(client: pg.Pool | pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ permitted: number }>(
    // PostgreSQL 15 has no `reserved_connections`.
    `select sum(case name when 'max_connections' then setting::int else -setting::int end)::int as permitted
     from pg_settings where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`,
  );
  return rows[0]!.permitted;
}
