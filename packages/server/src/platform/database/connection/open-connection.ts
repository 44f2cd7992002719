import pg from 'pg';

/**
 * Settings of all connections that read or write dates. The server, the database or the role can
 * have others: with a `DateStyle` such as German, the client cannot read any time.
 */
export const timeSettings = { timezone: "'UTC'", datestyle: 'ISO' } as const;

/**
 * Opens a connection outside the pools, for work that keeps a session for long: a lock, a snapshot,
 * a copy. The caller ends it.
 *
 * `name` is shown in pg_stat_activity. `timeout` is the longest wait for the connection, in
 * milliseconds. If the connection is lost later, the current statement fails, but not the process.
 */
export async function openConnection(url: string, name: string, timeout = 10_000): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: timeout,
    keepAlive: true,
  });
  // Without a listener, a lost connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`set timezone = ${timeSettings.timezone}; set datestyle = ${timeSettings.datestyle}`);
  return client;
}
