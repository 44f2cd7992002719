import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#platform/config/config.ts';
import { maxConnections, type ConnectionsRole } from '#platform/config/connections.ts';
import { createContext } from '#app/create-context.ts';
import { startArchivedPostgres } from '#features/backups/archive/archived-postgres.ts';
import { jobConnections } from '#platform/jobs/runner.ts';
import { query, silent } from '../../../embedded-postgres/test/support.ts';
import { migratedDirectory } from '../support/migrated-directory.ts';

const root = path.join(import.meta.dirname, '..', '..', '..', '..');

/** Returns the maximum number of connections in the pools of a context. */
async function poolsOf(role: ConnectionsRole, poolSize: number, lanes: number): Promise<number> {
  const env = { ROSTER_DATABASE_POOL_SIZE: String(poolSize), ROSTER_WORKER_LOOPS: String(lanes) };
  const config = readConfig({ ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing', LOG_LEVEL: 'silent' });
  await using context = createContext(config, role);
  return context.pool.options.max + context.searchPool.options.max;
}

/** Connections of a process outside of the pools of a context, by the file that opens them. */
const outsidePools: Record<'api' | 'worker', Record<string, number>> = {
  api: { 'features/accounts/keys/credentials.ts': 1 },
  worker: {
    'pipeline/worker/watch-queues.ts': 1,
    // One builds indexes on demand, one rebuilds indexes that have grown.
    'features/attribute-indexes/index-builder-lock.ts': 2,
    'features/audiences/count-segments.ts': 1,
    // One holds the lock of scheduled backups, one reads the snapshot.
    'features/backups/backup-upkeep.ts': 1,
    'features/backups/copy/write-backup.ts': 1,
    'platform/jobs/lease.ts': 1,
    // One more listens for new jobs.
    'platform/jobs/runner.ts': jobConnections + 1,
  },
};
// Files whose connections are not counted above: the pools of contexts, the helper for listening,
// base backups of the supervisor, connections of a start, a command or a backup, and those to replicas
// and to the nodes of a cluster.
const notCounted = [
  'features/backups/archive/base-backup.ts',
  'features/backups/archive/base-backup-schedule.ts',
  'features/backups/archive/recover.ts',
  'features/backups/copy/restore-backup.ts',
  'app/cli/commands/backup.ts',
  'app/cli/commands/counts.ts',
  'app/cli/commands/migrate.ts',
  'app/open-connections.ts',
  'app/cli/doctor/database.ts',
  'app/cli/doctor/servers/cluster.ts',
  'platform/database/connection/database.ts',
  'platform/database/connection/listen.ts',
  'platform/database/layout/cluster/node-servers.ts',
  'platform/database/layout/cluster/node-watch.ts',
  'platform/database/layout/whole-snapshot.ts',
  'platform/database/replicas/replica.ts',
  'platform/database/schema/migrate.ts',
  'platform/database/connection/open-connection.ts',
];

const sum = (numbers: Record<string, number>): number => Object.values(numbers).reduce((all, one) => all + one, 0);

test('docs/operations.md states the number of connections that the processes open', async () => {
  const handbook = (await readFile(path.join(root, 'docs/operations.md'), 'utf8')).replaceAll(/\s+/g, ' ');
  const numbers = (pattern: RegExp): number[] => {
    const found = pattern.exec(handbook);
    expect(found, pattern.source).not.toBeNull();
    return found!.slice(1).map(Number);
  };
  const [poolSize, loops] = numbers(/`ROSTER_DATABASE_POOL_SIZE` \((\d+)\) and `ROSTER_WORKER_LOOPS` \((\d+)\)/) as [
    number,
    number,
  ];
  const [ofApi, apiOutsidePools] = numbers(/\| API \(`ROSTER_ROLE=api`\) \| (\d+) \| pool size \+ (\d+) \|/) as [
    number,
    number,
  ];
  const [ofWorker, workerOutsidePools, least, ofLoop] = numbers(
    /\| worker \(`ROSTER_ROLE=worker`\) \| (\d+) \| pool size \+ (\d+), plus the pool size or (\d+) \+ (\d+) × loops, whichever is more \|/,
  ) as [number, number, number, number];
  const [ofBoth] = numbers(/\| both \(`ROSTER_ROLE=all`, `npm start`\) \| (\d+) \| the sum of both \|/);
  const [oneApi, workers, ofThree, enough] = numbers(
    /one API process and two workers: (\d+) \+ 2 × (\d+) = (\d+)\. So set `max_connections = (\d+)`, which is enough for two API processes and two workers\./,
  );
  const [smaller, smallApi, smallWorker, ofSmall] = numbers(
    /with (\d+), one API process and two workers open up to (\d+) \+ 2 × (\d+) = (\d+)\./,
  ) as [number, number, number, number];
  const { databasePoolSize, workerLoops } = readConfig({});
  expect([poolSize, loops]).toEqual([databasePoolSize, workerLoops]);
  expect([apiOutsidePools, workerOutsidePools]).toEqual([sum(outsidePools.api), sum(outsidePools.worker)]);
  for (const size of [4, 5, 11, poolSize, 21, 100, 500]) {
    for (const count of [1, 2, 4, 5, 6, 64]) {
      const worker = (await poolsOf('worker', size, count)) + (await poolsOf('jobs', size, count)) + workerOutsidePools;
      const api = (await poolsOf('api', size, count)) + apiOutsidePools;
      expect([size, count, worker]).toEqual([
        size,
        count,
        Math.max(size, least + ofLoop * count) + size + workerOutsidePools,
      ]);
      expect([size, api]).toEqual([size, size + apiOutsidePools]);
      const settings = { databasePoolSize: size, workerLoops: count };
      const computed = (['api', 'worker', 'all'] as const).map((role) => maxConnections(settings, role));
      expect(computed).toEqual([api, worker, api + worker]);
    }
  }
  const most = (role: 'api' | 'worker' | 'all', size = poolSize): number =>
    maxConnections({ databasePoolSize: size, workerLoops: loops }, role);
  expect([ofApi, ofWorker, ofBoth]).toEqual([most('api'), most('worker'), most('all')]);
  expect([oneApi, workers, ofThree]).toEqual([ofApi, ofWorker, most('api') + 2 * most('worker')]);
  expect([smallApi, smallWorker]).toEqual([most('api', smaller), most('worker', smaller)]);
  expect(ofSmall).toBe(smallApi + 2 * smallWorker);
  expect(enough).toBeGreaterThanOrEqual(2 * (most('api') + most('worker')) + 10);
});

test('the embedded PostgreSQL permits the connections of its service', async () => {
  await using directory = await migratedDirectory();
  for (const [workerLoops, permitted] of [
    [2, 200],
    [64, 281],
  ] as const) {
    const settings = { databasePoolSize: 20, workerLoops };
    const config = { ...readConfig({ ROSTER_DATA_DIR: directory.path }), ...settings };
    await using postgres = await startArchivedPostgres(config, { log: silent });
    expect(await query(postgres.url, 'show max_connections')).toEqual([{ max_connections: String(permitted) }]);
    expect(permitted).toBeGreaterThan(maxConnections(settings, 'all'));
  }
});

test('only the files that this test lists open database connections', async () => {
  const src = path.join(import.meta.dirname, '..', '..', 'src');
  const files = (await readdir(src, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const opening: string[] = [];
  for (const file of files) {
    const text = await readFile(path.join(src, file), 'utf8');
    if (/\bnew pg\.(?:Client|Pool)\(|\bopen(?:Pool|Connection)\(|[^.\w]listen\(context/.test(text)) opening.push(file);
  }
  const counted = [...Object.keys(outsidePools.api), ...Object.keys(outsidePools.worker), ...notCounted];
  expect(opening.toSorted()).toEqual(counted.toSorted());
});
