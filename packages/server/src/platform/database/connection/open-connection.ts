import pg from 'pg';

/**
 * Settings of all connections. The server, the database or the role can have others, which are meant
 * for other programs.
 */
const sessionSettings = {
  // With a `DateStyle` such as German, the client cannot read any time.
  timezone: "'UTC'",
  datestyle: 'ISO',
  // The tables are in `public`, also if the role has a schema of its own. Backups rely on it.
  search_path: 'public',
  // How statements are read, and how values and names are written.
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  extra_float_digits: '1',
  quote_all_identifiers: 'off',
  // With another level, statements fail when others write at the same time.
  default_transaction_isolation: "'read committed'",
  // Exports, backups and builds of indexes take long, and workers hold locks while they wait.
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
} as const;

// Versions before 17 do not have this setting.
const noTransactionTimeout = `select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) is not null;`;

/** Returns the statements that set the settings of all connections, and more settings. They end with a semicolon. */
export function settingStatements(settings: Readonly<Record<string, string | number>> = {}): string {
  const all = Object.entries({ ...sessionSettings, ...settings });
  return `${all.map(([name, value]) => `set ${name} = ${value};`).join(' ')} ${noTransactionTimeout}`;
}

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
  await client.query(settingStatements());
  return client;
}
