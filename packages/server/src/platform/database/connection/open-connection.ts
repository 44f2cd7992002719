import pg from 'pg';

/**
 * Opens a connection outside the pools, for work that keeps one session for long: a lock, a snapshot, a copy. The caller ends it.
 *
 * `name` is what the server lists it as. `patience` is the longest wait for the connection, in milliseconds. A connection that is
 * lost later does not end the process: the statement under way fails.
 */
export async function openConnection(url: string, name: string, patience = 10_000): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: patience,
    keepAlive: true,
  });
  // Without a listener, losing the connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
