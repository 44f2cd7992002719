import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packagedBinaries, usableBinaries } from '../../src/db/embedded/binaries.ts';
import { freePort } from '../../src/db/embedded/port.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { isRoot } from '../../src/db/embedded/server-user.ts';
import { migrateToLatest } from '../../src/db/migrate.ts';
import { query, quick, silent, temporaryDirectory } from '../embedded/support.ts';
import { mustRun, runTool } from './tools.ts';

const start = (dataDir: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, log: silent, settings: quick });

/** Fills a database with what a backup must bring back: rows in partitions, identities that go on counting, any text. */
async function fill(url: string): Promise<void> {
  await migrateToLatest(url, silent);
  await query(
    url,
    `insert into accounts (name, created_at, updated_at) values ('Käthe "D’Arc" \\ Söhne', now(), now());
     insert into contacts (account_id, contact_key, contact_type, attributes, created_at, updated_at)
       select 1, n || '@example.com', 'identified', jsonb_build_object('1.1', '顧客 ' || n), now(), now() from generate_series(1, 1000) n;
     create table activities_200001 partition of activities for values from ('2000-01-01Z') to ('2000-02-01Z');
     insert into activities (account_id, channel, activity, occurred_at, contact_key) values (1, 1, 1, '2000-01-31T12:00:00Z', '1@example.com')`,
  );
}

/** What is in a database, and that it can be written to. */
async function content(url: string): Promise<unknown> {
  await migrateToLatest(url, silent);
  const rows = await query(
    url,
    `select (select name from accounts) as account, (select count(*)::int from contacts) as contacts,
       (select attributes ->> '1.1' from contacts where contact_key = '777@example.com') as name,
       (select count(*)::int from activities_200001) as activities,
       (select count(*)::int from kysely_migration) as migrations,
       (select datlocale from pg_database where datname = current_database()) as locale`,
  );
  const [next] = await query(
    url,
    `insert into accounts (name, created_at, updated_at) values ('Next', now(), now()) returning account_id`,
  );
  return { ...rows[0], ...next };
}

// The commands are those of docs/operations.md.
describe('a backup of the embedded PostgreSQL', () => {
  test('is an archive of the data directory of a stopped service', async () => {
    await using directory = await temporaryDirectory();
    const [dataDir, restored] = [path.join(directory.path, 'data'), path.join(directory.path, 'restored')];
    {
      await using server = await start(dataDir);
      await fill(server.url);
    }
    const archive = path.join(directory.path, 'roster.tar');
    mustRun('tar', ['--create', '--file', archive, '--directory', dataDir, '.']);
    await mkdir(restored, { mode: 0o711 });
    mustRun('tar', ['--extract', '--file', archive, '--directory', restored, '--same-owner']);
    await using original = await start(dataDir);
    await using copy = await start(restored);
    const wanted = await content(original.url);
    expect(wanted).toMatchObject({ contacts: 1000, name: '顧客 777', activities: 1, account_id: 2 });
    expect(await content(copy.url)).toEqual(wanted);
  });

  const version = Number(/\) (\d+)/.exec(runTool('pg_dump', ['--version'])?.output ?? '')?.[1] ?? 0);
  test.skipIf(version < 18)('is a dump of a running service, restored into a new data directory', async () => {
    await using directory = await temporaryDirectory();
    const [dataDir, restored] = [path.join(directory.path, 'data'), path.join(directory.path, 'restored')];
    const dump = path.join(directory.path, 'roster.dump');
    await using server = await start(dataDir);
    await fill(server.url);
    const cluster = path.join(dataDir, 'postgres', 'cluster');
    const port = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[3]!;
    mustRun('pg_dump', ['--format=custom', '--file', dump, 'roster'], { env: await clientOf(dataDir, port) });
    {
      // What `roster migrate` does.
      await using fresh = await start(restored);
      await migrateToLatest(fresh.url, silent);
    }
    await restore(restored, dump);
    await using copy = await start(restored);
    expect(await content(copy.url)).toEqual(await content(server.url));
  });
});

/** The environment of the programs of PostgreSQL for the embedded server of a data directory. */
async function clientOf(dataDir: string, port: string): Promise<Record<string, string | undefined>> {
  const password = (await readFile(path.join(dataDir, 'postgres', 'password'), 'utf8')).trim();
  const server = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'roster', PGPASSWORD: password };
  return { ...process.env, ...server };
}

async function restore(dataDir: string, dump: string): Promise<void> {
  const cluster = path.join(dataDir, 'postgres', 'cluster');
  const { uid, gid } = await stat(cluster);
  const user = isRoot() ? { uid, gid } : undefined;
  const { postgres } = await usableBinaries(await packagedBinaries(), user, path.join(dataDir, 'programs'), silent);
  const port = String(await freePort());
  const control = (...args: string[]): string =>
    mustRun(path.join(path.dirname(postgres), 'pg_ctl'), ['--pgdata', cluster, '--wait', ...args], {
      cwd: '/',
      ...user,
    });
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  control('--options', options, '--log', path.join(cluster, 'restore.log'), 'start');
  try {
    const how = ['--clean', '--create', '--exit-on-error', '--dbname', 'postgres', dump];
    mustRun('pg_restore', how, { env: await clientOf(dataDir, port) });
  } finally {
    control('stop');
  }
}
