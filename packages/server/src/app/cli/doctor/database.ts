import pg from 'pg';
import pino from 'pino';
import type { Config } from '#platform/config/config.ts';
import { databaseOn, openPool } from '#platform/database/connection/database.ts';
import { settingStatements } from '#platform/database/connection/open-connection.ts';
import { runningServerUrl } from '#platform/database/embedded-postgres.ts';
import { clusterSettings } from '#platform/database/layout/cluster/cluster-servers.ts';
import { findRightsFault } from '#platform/database/schema/schema-rights.ts';
import { findFoldingFault } from '#platform/database/schema/text-folding.ts';
import { keepsSessions, lostSessions } from '#platform/database/statements/kept-sessions.ts';
import { explainReadOnly, readOnlyReason } from '#platform/database/statements/read-only.ts';
import { connectionAdvice } from '../../connection-advice.ts';
import { losingSettingsOf, serverVersion } from './database-store.ts';
import { fault, faultOf, note, ok, reasonOf, warning, type Finding } from './findings/finding.ts';

/**
 * A connection to the database, and the findings about it. `client` is undefined after a failure.
 */
export interface DatabaseCheck extends AsyncDisposable {
  readonly client: pg.Client | undefined;
  readonly findings: readonly Finding[];
}

/** Timeout in milliseconds of the connection and of each statement. */
const timeout = 5000;

/** Connects to the database of the service. The embedded one is available only while it runs. */
export async function connectDatabase(config: Config): Promise<DatabaseCheck> {
  const { databaseUrl, dataDir } = config;
  let url: string | undefined;
  try {
    url = databaseUrl ?? (await runningServerUrl(dataDir));
  } catch (error) {
    // The start fails for the same reason. The message also says what to do.
    return notConnected({ severity: 'fault', message: reasonOf(error) });
  }
  if (url === undefined) {
    const message = 'The embedded PostgreSQL is not running. It starts and stops with the service.';
    return notConnected(note(message, 'To check the database too, start the service with `npm start`.'));
  }
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    application_name: 'roster doctor',
  });
  client.on('error', () => undefined);
  let sessionsStay: boolean;
  try {
    sessionsStay = await connectLikeService(url, config);
    await client.connect();
    await client.query(settingStatements());
  } catch (error) {
    return notConnected(
      fault(
        `Could not connect to the database: ${reasonOf(error)}.`,
        databaseUrl === undefined
          ? 'The service starts it again by itself. Read the log of the service, and the finding about the disk.'
          : connectionAdvice(error),
      ),
    );
  }
  const version = await serverVersion(client);
  const readOnly = await readOnlyReason(client);
  const isOld = version.number < 150_000;
  const losing = await losingSettingsOf(client);
  const folding = await findFoldingFault(databaseOn(client));
  const rights = await findRightsFault(databaseOn(client));
  const name = `PostgreSQL ${version.text.split(' ')[0]}${databaseUrl === undefined ? ', embedded,' : ''}`;
  return {
    client,
    findings: [
      isOld
        ? fault(`${name} is too old.`, 'Upgrade the server: Roster needs PostgreSQL 15 to 18.')
        : ok(`${name} accepts connections.`),
      ...(readOnly === undefined
        ? []
        : [faultOf(explainReadOnly('database server', readOnly, 'Set DATABASE_URL to the primary'))]),
      ...(sessionsStay ? [] : [faultOf(lostSessions)]),
      ...(folding === undefined ? [] : [faultOf(folding)]),
      ...(rights === undefined ? [] : [faultOf(rights)]),
      ...(losing === null
        ? []
        : [
            warning(
              `The server can lose accepted requests in a crash: ${losing}.`,
              'Turn these settings on in postgresql.conf, or for the role or the database.',
            ),
          ]),
    ],
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/**
 * Connects with all that the service sends, some of which a connection pooler may refuse. Returns
 * whether the connections keep their sessions.
 */
async function connectLikeService(url: string, { layout }: Config): Promise<boolean> {
  const pool = openPool({
    url,
    name: 'roster doctor',
    size: 2,
    statementTimeout: timeout,
    lockTimeout: timeout,
    silenceLimit: timeout,
    settings: layout === 'citus' ? clusterSettings : {},
    log: pino({ enabled: false }),
  });
  try {
    return await keepsSessions(pool);
  } finally {
    await pool.end();
  }
}

function notConnected(finding: Finding): DatabaseCheck {
  return { client: undefined, findings: [finding], [Symbol.asyncDispose]: async () => undefined };
}
