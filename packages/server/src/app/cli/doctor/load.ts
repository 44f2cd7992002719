import type pg from 'pg';
import { mostStoredBytes } from '#features/accounts/stored-files/stored-bytes.ts';
import type { Config } from '#platform/config/config.ts';
import { maxConnections, type ConnectionSettings } from '#platform/config/connections.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { permittedConnections } from '#platform/database/statements/permitted-connections.ts';
import { readDatabaseState, type DatabaseState } from '#features/system/system-store.ts';
import { failingDeliveries, grownIndexes, liveSegmentState, waitingRequests } from './database-store.ts';
import { note, ok, warning, type Finding } from './findings/finding.ts';

/** Seconds that a request may wait. After that, the workers are too slow, or none is running. */
const maxWaitSeconds = 60;

/**
 * Checks that the database server has free connections and permits those of all processes, that
 * workers apply requests in time, that callbacks are delivered, and that accounts have room for
 * files. Needs the newest schema.
 */
export async function checkLoad(
  client: pg.Client,
  config: ConnectionSettings & FileSettings,
): Promise<readonly Finding[]> {
  const state = await readDatabaseState(databaseOn(client));
  const findings = connectionFindings(state, await permittedConnections(client), config);
  const { workers } = state;
  findings.push(
    workers === 0
      ? warning(
          'No worker runs. Accepted requests wait, and exports, imports and callbacks do not begin.',
          'Start a worker (ROSTER_ROLE=worker or all), or read the log of one that ended.',
        )
      : ok(`${workers} ${workers === 1 ? 'worker runs' : 'workers run'}.`),
  );
  findings.push(
    ...(await unlessUnreadable('Waiting requests', () => checkWaiting(client))),
    ...(await unlessUnreadable('Live segments', () => checkLiveSegments(client))),
    ...(await unlessUnreadable('Stored files', () => checkStoredFiles(client, config))),
  );
  for (const { name, mib, freshMib } of await grownIndexes(client)) {
    findings.push(
      warning(
        `The index ${name} has ${mib} MiB. After a rebuild, it would have about ${freshMib} MiB.`,
        'A worker rebuilds it within an hour. If not, read the log of the worker and check the disk space and ROSTER_INDEX_REBUILD_MB.',
      ),
    );
  }
  const { pending, failed } = await failingDeliveries(client);
  if (pending + failed > 0) {
    const message = `${pending === 1 ? 'One callback is' : `${pending} callbacks are`} being retried, and ${failed} failed permanently in the last 24 hours.`;
    findings.push(
      note(message, 'The operator API shows the attempts: GET /admin/v1/accounts/{account_id}/deliveries.'),
    );
  }
  return findings;
}

/** Other processes may have other settings than `config`. The database does not know them. */
function connectionFindings(
  { connections, max_connections: max, api, workers }: DatabaseState,
  permitted: number,
  config: ConnectionSettings,
): Finding[] {
  const advice =
    'Raise max_connections on the server, or the connection limit of the role or the database. Or lower ROSTER_DATABASE_POOL_SIZE and ROSTER_WORKER_LOOPS.';
  const inUse = `${connections} of ${max} connections of the database server are in use.`;
  const findings = [connections > max * 0.9 ? warning(inUse, advice) : ok(inUse)];
  if (api + workers > 0) {
    const most = api * maxConnections(config, 'api') + workers * maxConnections(config, 'worker');
    const together = `The running processes (API: ${api}, workers: ${workers}) can open ${most} connections with these settings. The server permits ${permitted}.`;
    findings.push(most > permitted ? warning(together, advice) : ok(together));
  }
  return findings;
}

async function checkWaiting(client: pg.Client): Promise<readonly Finding[]> {
  const { requests, seconds, accountId } = await waitingRequests(client);
  const waiting = `${requests.toLocaleString('en')} accepted ${requests === 1 ? 'request waits' : 'requests wait'} to be applied.`;
  return [
    seconds !== null && seconds > maxWaitSeconds
      ? warning(
          `${waiting} The oldest, of account ${accountId}, has waited for ${Math.round(seconds)} s.`,
          'Check that a worker runs (ROSTER_ROLE=worker or all). Add workers if they are busy.',
        )
      : ok(waiting),
  ];
}

async function checkLiveSegments(client: pg.Client): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { live, broken, seconds: behind } = await liveSegmentState(client);
  if (broken > 0) {
    findings.push(
      warning(
        `${broken} of ${live} live segments are not followed, because their filter no longer fits the account.`,
        'Open the segment in the console and change its filter, or set "live" to false.',
      ),
    );
  }
  if (behind !== null && behind > maxWaitSeconds) {
    findings.push(
      warning(
        `Live segments are ${Math.round(behind)} s behind.`,
        'Check that a worker runs (ROSTER_ROLE=worker or all), and read its log.',
      ),
    );
  }
  return findings;
}

type FileSettings = Pick<Config, 'filesPerAccountMb'>;

/** An account that uses more than this part of its quota will soon be refused files. */
const nearQuota = 0.9;

async function checkStoredFiles(client: pg.Client, { filesPerAccountMb }: FileSettings): Promise<readonly Finding[]> {
  const { total, most } = await mostStoredBytes(databaseOn(client));
  if (most === undefined) return [];
  const shown = `Imports and exports store ${megabytes(total)}. Account ${most.accountId} has most of it: ${megabytes(most.bytes)}.`;
  return filesPerAccountMb > 0 && most.bytes >= nearQuota * filesPerAccountMb * 1024 ** 2
    ? [
        warning(
          `${shown} An account can store ${filesPerAccountMb} MiB.`,
          'Raise ROSTER_FILES_PER_ACCOUNT_MB, or let the account cancel imports and wait until its files expire.',
        ),
      ]
    : [ok(shown)];
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2).toLocaleString('en')} MiB`;

/** Reads rows of all accounts, which is not possible while a node of a cluster is down. */
async function unlessUnreadable(what: string, read: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      warning(
        `${what} could not be counted: ${reason}`,
        'If a node of the cluster is down, the check of the nodes names it.',
      ),
    ];
  }
}
