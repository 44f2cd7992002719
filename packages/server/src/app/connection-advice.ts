import { certificateFaults, isTlsFault } from '#platform/database/connection/database-fault.ts';

/** What to do about a code of PostgreSQL, or of the operating system, when no connection was made. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /^28000$/,
    'Check the user in DATABASE_URL, and pg_hba.conf of the server. If the server requires TLS, add sslmode=verify-full.',
  ],
  [/^28/, 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.'],
  [/^3D000$/, 'Create the database as docs/operations.md says, or correct its name in DATABASE_URL.'],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'Check the host name in DATABASE_URL. If the password has characters such as @ or /, write them as %40 or %2F.',
  ],
  [
    /^53300$/,
    'All permitted connections are in use. Raise max_connections of the server, or the connection limit of the role or the database. Or lower ROSTER_DATABASE_POOL_SIZE and ROSTER_WORKER_LOOPS.',
  ],
  [
    /^08P01$/,
    'A connection pooler refuses a parameter of the connection. Remove the parameter from DATABASE_URL, or allow it in the pooler.',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Use a host name in DATABASE_URL that is in the certificate of the server.'],
  [
    certificateFaults,
    'Add sslrootcert=… to DATABASE_URL, with the file of the authority that signed the certificate of the server.',
  ],
  [/^55000$/, 'Run on the server: alter database … allow_connections true.'],
];

/** Returns what an operator can do about an error of a connection to the database in `DATABASE_URL`. */
export function connectionAdvice(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isTlsFault(error) && code === '') return 'Remove sslmode from DATABASE_URL, or turn on ssl on the server.';
  return (
    advice.find(([codes]) => codes.test(code))?.[1] ??
    'Check the host and port in DATABASE_URL, that the server is running, and that no firewall blocks it.'
  );
}
