/** What to do about a code of PostgreSQL, or of the operating system, when no connection was made. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/^28/, 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.'],
  [/^3D000$/, 'Create the database as docs/operations.md says, or correct its name in DATABASE_URL.'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'Check the host name in DATABASE_URL.'],
  [
    /^53300$/,
    'All connections of the server are in use. Raise max_connections, or lower ROSTER_DATABASE_POOL_SIZE and ROSTER_WORKER_LOOPS.',
  ],
  [
    /^08P01$/,
    'A connection pooler refuses a parameter of the connection. Remove the parameter from DATABASE_URL, or allow it in the pooler.',
  ],
  [/^55000$/, 'Run on the server: alter database … allow_connections true.'],
];

/** Returns what an operator can do about an error of a connection to the database in `DATABASE_URL`. */
export function connectionAdvice(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    advice.find(([codes]) => codes.test(code))?.[1] ??
    'Check the host and port in DATABASE_URL, that the server is running, and that no firewall blocks it.'
  );
}
