import type pg from 'pg';
import { connectionCounts, failingDeliveries, grownIndexes, waitingRequests } from './database-store.ts';
import { note, ok, warning, type Finding } from './finding.ts';

/** Seconds after which a waiting request says that no worker keeps up. */
const slow = 60;

/** Whether the server has connections left, and whether requests and callbacks get where they should. Needs the newest schema. */
export async function checkLoad(client: pg.Client): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { most, used } = await connectionCounts(client);
  const connections = `${used} of ${most} connections of the database server are in use.`;
  findings.push(
    used > most * 0.9
      ? warning(connections, 'Raise max_connections of the server, or lower ROSTER_DATABASE_POOL_SIZE.')
      : ok(connections),
  );
  const { requests, seconds } = await waitingRequests(client);
  const waiting = `${requests.toLocaleString('en')} accepted requests wait to be applied.`;
  findings.push(
    seconds !== null && seconds > slow
      ? warning(
          `${waiting} The oldest has waited for ${Math.round(seconds)} s.`,
          'Check that a worker runs (ROSTER_ROLE=worker or all); add workers if they are busy.',
        )
      : ok(waiting),
  );
  for (const { name, mib, freshMib } of await grownIndexes(client)) {
    findings.push(
      warning(
        `The index ${name} has ${mib} MiB; a new one would have about ${freshMib} MiB.`,
        'A worker rebuilds it within an hour. If this stays, its log says why: too little disk space, or ROSTER_INDEX_REBUILD_MB.',
      ),
    );
  }
  const { pending, failed } = await failingDeliveries(client);
  if (pending + failed > 0) {
    const message = `${pending} callbacks are being tried again, and ${failed} were given up within a day.`;
    findings.push(
      note(message, 'The operator API shows the attempts: GET /admin/v1/accounts/{account_id}/deliveries.'),
    );
  }
  return findings;
}
