import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readArchiveState } from '#features/backups/archive/archive-state.ts';
import { maintainArchive } from '#features/backups/archive/base-backup-schedule.ts';
import { startArchivedPostgres } from '#features/backups/archive/archived-postgres.ts';
import { walArchiver } from '#features/backups/archive/wal-files.ts';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { readConfig, type Config } from '#platform/config/config.ts';
import { openDatabase, openPool } from '#platform/database/connection/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { localFileStore } from '#platform/files/local-file-store.ts';
import { run, type CommandResult } from '../cli/in-process.ts';
import { temporaryDirectory, until } from '../../../embedded-postgres/test/support.ts';
import { migratedDirectory } from '../support/migrated-directory.ts';
import { program, query } from './support.ts';

const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
// These tests kill processes, never the machine, so fsync is not needed.
const settings = { fsync: 'off', shared_buffers: '32MB' };
const signal = new AbortController().signal;

let directory: AsyncDisposable & { readonly path: string };
let archives: string;
/** The only archive that the service of the tests wrote. */
let archive: string;
/** A time after each step, by the clock of the database. */
const moments: Record<'copied' | 'one' | 'two' | 'three', string> = { copied: '', one: '', two: '', three: '' };

const configOf = (dir: string): Config => readConfig({ ROSTER_DATA_DIR: dir, ROSTER_WAL_ARCHIVE: archives });

async function now(url: string): Promise<string> {
  await sleep(20);
  const [row] = await query(
    url,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  await sleep(20);
  return row!['now'] as string;
}

const names = (url: string) => query(url, 'select name from accounts order by account_id');
const insert = (url: string, name: string) =>
  query(url, `insert into accounts (name, created_at, updated_at) values ('${name}', now(), now())`);

beforeAll(async () => {
  directory = await temporaryDirectory();
  archives = path.join(directory.path, 'archives');
  vi.stubEnv('DATABASE_URL', '');
  {
    // At the end, only the archive is left.
    await using data = await migratedDirectory();
    const config = configOf(data.path);
    await using postgres = await startArchivedPostgres(config, { log, settings });
    await insert(postgres.url, 'before the copy');
    await maintainArchive({ config, postgres, log, now: () => new Date() }, signal);
    moments.copied = await now(postgres.url);
    await insert(postgres.url, 'one');
    moments.one = await now(postgres.url);
    // The writes after the first time go to a new WAL file.
    await query(postgres.url, 'select pg_switch_wal()');
    await insert(postgres.url, 'two');
    moments.two = await now(postgres.url);
    await query(postgres.url, 'select pg_switch_wal()');
    await query(postgres.url, 'delete from accounts');
    moments.three = await now(postgres.url);
    await insert(postgres.url, 'three');
  }
  const [name] = await readdir(archives);
  archive = path.join(archives, name!);
}, 180_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await directory[Symbol.asyncDispose]();
});

/**
 * Restores with the command line into a new data directory. Returns the names of the accounts
 * there. If the command fails, returns its result.
 */
async function restored(name: string, args: readonly string[]): Promise<unknown> {
  const target = path.join(directory.path, name);
  vi.stubEnv('ROSTER_DATA_DIR', target);
  const ended = await run(['restore', ...args]);
  if (ended.code !== 0) return ended;
  await using postgres = await startEmbeddedPostgres({ dataDir: target, log, settings });
  return (await names(postgres.url)).map((row) => row['name']);
}

test('a lost server can be restored to every time that the archive covers', async () => {
  expect(await restored('at-one', ['--from', archives, '--at', moments.one])).toEqual(['before the copy', 'one']);
  expect(await restored('at-three', ['--from', archives, '--at', moments.three])).toEqual([]);
  // The end of the archive has everything that was committed before the service stopped.
  expect(await restored('at-end', ['--from', archives])).toEqual(['three']);
}, 180_000);

test('a time before the archive, after it or in the future is refused, and no database is left behind', async () => {
  expect(await restored('early', ['--from', archives, '--at', '2020-01-01T00:00:00Z'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The archive .* begins at /),
  });
  expect(await restored('late', ['--from', archives, '--at', new Date().toISOString()])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ends before the time of --at\. The last change before that is from 20/),
  });
  expect(await restored('future', ['--from', archives, '--at', '2999-01-01T00:00:00Z'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in the future'),
  });
  expect(await restored('zone', ['--from', archives, '--at', '2026-01-01 00:00'])).toMatchObject({ code: 2 });
  // The next restore into the same directory succeeds.
  expect(await restored('late', ['--from', archives, '--at', moments.one])).toEqual(['before the copy', 'one']);
  expect(await restored('late', ['--from', archives, '--at', moments.one])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already has a database'),
  });
}, 180_000);

test('a damaged or incomplete base backup is refused', async () => {
  const copy = path.join(directory.path, 'copies', path.basename(archive));
  await cp(archive, copy, { recursive: true });
  const base = (await readdir(copy)).find((name) => name.startsWith('base-'))!;
  const file = path.join(copy, base, 'base.tar.zst');
  await writeFile(file, 'nothing');
  expect(await restored('damaged', ['--from', copy, '--at', moments.one])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is damaged'),
  });
  await rm(path.join(copy, base, 'manifest.json'));
  expect(await restored('incomplete', ['--from', copy])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no complete base backup'),
  });
});

test('another base backup is used when the manifest of the newest one is damaged', async () => {
  const copy = path.join(directory.path, 'second-base', path.basename(archive));
  await cp(archive, copy, { recursive: true });
  const base = (await readdir(copy)).find((name) => name.startsWith('base-'))!;
  const later = path.join(copy, 'base-29990101T000000000Z');
  await cp(path.join(copy, base), later, { recursive: true });
  await truncate(path.join(later, 'manifest.json'), 100);
  expect(await restored('past-damage', ['--from', copy, '--at', moments.one])).toEqual(['before the copy', 'one']);
  await rm(path.join(copy, base), { recursive: true });
  expect(await restored('only-damage', ['--from', copy])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is damaged: its manifest.json does not have the content'),
  });
}, 180_000);

describe('an archive with damaged WAL', () => {
  const damages: Record<string, readonly [damage: (file: string) => Promise<unknown>, reason: RegExp]> = {
    'lacks a file': [(file) => rm(file), /a file before wal\/[0-9A-F]{24}\.zst is missing/],
    'has a file with changed bytes': [
      async (file) => {
        const bytes = await readFile(file);
        bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 100);
        await writeFile(file, bytes);
      },
      /wal\/[0-9A-F]{24}\.zst is damaged/,
    ],
    'has a file that was cut off': [
      async (file) => truncate(file, (await stat(file)).size >> 1),
      /wal\/[0-9A-F]{24}\.zst is damaged/,
    ],
  };
  test.each(Object.entries(damages))(
    'an archive whose WAL %s is not restored to its end',
    async (name, [damage, reason]) => {
      const copy = path.join(directory.path, name.replaceAll(' ', '-'), path.basename(archive));
      await cp(archive, copy, { recursive: true });
      const files = (await readdir(path.join(copy, 'wal'))).filter((file) => /^[0-9A-F]{24}[.]zst$/.test(file)).sort();
      // Damages the last file but one.
      await damage(path.join(copy, 'wal', files.at(-2)!));
      const target = `wal-${name.replaceAll(' ', '-')}`;
      const { code, stderr } = (await restored(target, ['--from', copy])) as CommandResult;
      expect(code).toBe(1);
      expect(stderr).toMatch(reason);
      expect(stderr).toMatch(
        /^The archive .* cannot be read to its end: .*\. The last change before that is from [-\dT:.]+Z\. Nothing was restored\./,
      );
      // The damage of one file does not matter for times before it.
      if (name !== 'lacks a file') return;
      expect(await restored(target, ['--from', copy, '--at', moments.copied])).toEqual(['before the copy']);
    },
    180_000,
  );
});

test('a restored server starts its own archive, and so does a server that ran without archiving', async () => {
  const target = path.join(directory.path, 'goes-on');
  await restored('goes-on', ['--from', archive, '--at', moments.two]);
  const config = configOf(target);
  const own = async (config = configOf(target)) => {
    await using postgres = await startArchivedPostgres(config, { log, settings });
    await maintainArchive({ config, postgres, log, now: () => new Date() }, signal);
    await insert(postgres.url, 'later');
  };
  await own();
  expect(await readdir(archives)).toHaveLength(2);
  // The same server continues its archive.
  await own();
  expect(await readdir(archives)).toHaveLength(2);
  await using _without = await startArchivedPostgres({ ...config, walArchive: undefined }, { log, settings });
  await _without.stop();
  await own();
  expect(await readdir(archives)).toHaveLength(3);
  // With several archives, the command must name one.
  expect(await restored('which', ['--from', archives, '--at', moments.one])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has several archives'),
  });
  const second = (await readdir(archives)).sort()[1]!;
  expect(await restored('of-second', ['--from', path.join(archives, second)])).toEqual([
    'before the copy',
    'one',
    'two',
    'later',
    'later',
  ]);
  // A copy of the data directory writes to an archive of its own.
  const copied = path.join(directory.path, 'copied');
  execFileSync('cp', ['-a', target, copied]);
  await own(configOf(copied));
  expect(await readdir(archives)).toHaveLength(4);
}, 180_000);

test('a file in the archive is never overwritten with different content', async () => {
  const cluster = path.join(directory.path, 'cluster');
  const store = localFileStore(path.join(directory.path, 'one-archive'));
  await mkdir(path.join(cluster, 'pg_wal'), { recursive: true });
  const file = '000000010000000000000001';
  await writeFile(path.join(cluster, 'pg_wal', file), 'content');
  const archiveFile = walArchiver(cluster, store);
  expect(await archiveFile(file)).toBe(true);
  // The server asks again if it did not get the answer.
  expect(await archiveFile(file)).toBe(true);
  await writeFile(path.join(cluster, 'pg_wal', file), 'another');
  await expect(archiveFile(file)).rejects.toThrow('has another file');
});

test('failing archiving is reported, and continues when the cause is fixed', async () => {
  await using own = await migratedDirectory();
  const place = path.join(directory.path, 'blocked');
  await writeFile(place, 'a file is where the archive should be');
  const config = readConfig({ ROSTER_DATA_DIR: own.path, ROSTER_WAL_ARCHIVE: place });
  await using postgres = await startArchivedPostgres(config, { log, settings });
  const archiver = async () =>
    (
      await query(
        postgres.url,
        'select archived_count::int as archived, failed_count::int as failed from pg_stat_archiver',
      )
    )[0]!;
  await query(postgres.url, 'select pg_switch_wal()');
  await until(async () => Number((await archiver())['failed']) > 0);
  const failing = async () => {
    const findings = await runChecks({
      DATABASE_URL: postgres.url,
      ROSTER_WAL_ARCHIVE: place,
      ROSTER_DATA_DIR: own.path,
      PORT: '1',
    });
    return findings
      .filter(({ check, severity }) => check === 'backups' && severity === 'fault')
      .map(({ message }) => message);
  };
  expect(await failing()).toEqual([`The WAL cannot be archived in ${place}.`]);
  // A base backup is overdue since the day after the first attempt, even if none was ever complete.
  await query(
    postgres.url,
    `insert into backup_runs (backup_run_id, kind, name, place, started_at, finished_at, status, error)
     select gen_random_uuid(), 'files', 'base-' || days, '${place}', now() - days * interval '1 day', now(), 'failed', 'tried'
     from generate_series(1, 3) days`,
  );
  const pool = openPool({ url: postgres.url, name: 'test', size: 1, log });
  const state = await readArchiveState(openDatabase(pool), new Date());
  await pool.end();
  expect(Math.round(state!.overdueSeconds / 86_400)).toBe(2);
  await query(postgres.url, 'delete from backup_runs');
  await rm(place);
  await until(async () => Number((await archiver())['archived']) > 0, 90_000);
  expect(await failing()).toEqual([]);
}, 180_000);

test('a killed restore leaves no database, and can be repeated', async () => {
  const target = path.join(directory.path, 'killed');
  const own = path.join(target, 'postgres');
  for (const point of ['password', /^initdb-.*base$/, /^initdb-.*recovery.signal$/]) {
    const child = spawn(process.execPath, [program, 'restore', '--from', archive, '--at', moments.one], {
      env: { ...process.env, ROSTER_DATA_DIR: target, DATABASE_URL: '' },
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until(
      async () =>
        child.exitCode !== null ||
        (await filesIn(own)).some((file) => (typeof point === 'string' ? file === point : point.test(file))),
    );
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(await readdir(own)).not.toContain('cluster');
  }
  expect(await restored('killed', ['--from', archive, '--at', moments.one])).toEqual(['before the copy', 'one']);
}, 180_000);

/** The files in the first levels of a directory. They show how far a restore is. */
async function filesIn(directory: string): Promise<string[]> {
  const found = await readdir(directory).catch(() => []);
  const work = found.find((name) => name.startsWith('initdb-'));
  const inside = work === undefined ? [] : await readdir(path.join(directory, work, 'cluster')).catch(() => []);
  return [...found, ...inside.map((name) => `${work}/cluster/${name}`)];
}
