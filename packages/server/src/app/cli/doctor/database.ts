import pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { runningServerUrl } from '#platform/database/embedded-postgres.ts';
import { findFoldingFault } from '#platform/database/schema/text-folding.ts';
import { losingSettingsOf, serverVersion } from './database-store.ts';
import { fault, note, ok, reasonOf, warning, type Finding } from './finding.ts';

/** An open connection, or why there is none. */
export interface DatabaseCheck extends AsyncDisposable {
  readonly client: pg.Client | undefined;
  readonly findings: readonly Finding[];
}

/** Milliseconds for a connection and for each statement. */
const patience = 5000;

/** Connects to the database as the service would, or to the embedded one while a service runs it. */
export async function connectDatabase(config: Config): Promise<DatabaseCheck> {
  const { databaseUrl, dataDir } = config;
  const url = databaseUrl ?? (await runningServerUrl(dataDir).catch(() => undefined));
  if (url === undefined) {
    const message = 'The embedded PostgreSQL does not run: it starts and ends with the service.';
    return without([note(message, 'Start the service (`npm start`) to have the database checked too.')]);
  }
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    application_name: 'roster doctor',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    return without([
      fault(`The database cannot be used: ${reasonOf(error)}.`, adviceFor(error, databaseUrl !== undefined)),
    ]);
  }
  const version = await serverVersion(client);
  const isOld = version.number < 150_000;
  const losing = await losingSettingsOf(client);
  const folding = await findFoldingFault(databaseOn(client));
  const name = `PostgreSQL ${version.text.split(' ')[0]}${databaseUrl === undefined ? ', embedded,' : ''}`;
  return {
    client,
    findings: [
      isOld
        ? fault(`${name} is too old.`, 'Roster needs PostgreSQL 15 to 18: upgrade the server.')
        : ok(`${name} takes connections.`),
      ...(folding === undefined ? [] : [fault(folding.message, folding.advice)]),
      ...(losing === null
        ? []
        : [
            warning(
              `The server can lose requests that were accepted when it crashes: ${losing}.`,
              'Switch these settings on: in postgresql.conf, or for the role or the database.',
            ),
          ]),
    ],
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function without(findings: readonly Finding[]): DatabaseCheck {
  return { client: undefined, findings, [Symbol.asyncDispose]: async () => undefined };
}

/** By the code of PostgreSQL or of the system. */
function adviceFor(error: unknown, isOwn: boolean): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!isOwn) return 'Stop the service and start it again; its log says more.';
  if (code.startsWith('28')) return 'Check the user and the password in DATABASE_URL, and pg_hba.conf of the server.';
  if (code === '3D000') return 'Make the database that DATABASE_URL names: `createdb`.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Check the name of the host in DATABASE_URL.';
  if (code === '53300')
    return 'The server has no connection left: raise max_connections, or lower ROSTER_DATABASE_POOL_SIZE.';
  return 'Check the host and the port in DATABASE_URL, that the server runs, and that a firewall lets this machine in.';
}
