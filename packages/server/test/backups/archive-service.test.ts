import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '#app/cli/doctor/findings/finding.ts';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { runningServerUrl, startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { mountSmallDisk, smallDiskObstacle } from '../crash/small-disk.ts';
import { quick, silent, temporaryDirectory, until } from '../../../embedded-postgres/test/support.ts';
import { program, query, roster } from './support.ts';
import { forFile } from '../support/for-file.ts';

const directory = await forFile(temporaryDirectory());
const dataDir = path.join(directory.path, 'data');
/** The place to which the first two tests archive. */
const archives = path.join(directory.path, 'archives');

/** Starts a service with an embedded PostgreSQL that archives to a place. */
async function startService(place: string) {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { ...process.env, DATABASE_URL: '', ROSTER_DATA_DIR: dataDir, ROSTER_WAL_ARCHIVE: place, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  const urlIn = (text: string): string | undefined => /^ +API +(http\S+)$/m.exec(text)?.[1];
  await until(() => urlIn(output) !== undefined || child.exitCode !== null, 120_000);
  const url = urlIn(output);
  if (url === undefined) throw new Error(`the service did not start:\n${output}`);
  const sql = async (text: string): Promise<Record<string, unknown>[]> =>
    query((await runningServerUrl(dataDir))!, text);
  return {
    output: () => output,
    stop,
    sql,
    isReady: async () => (await fetch(`${url}/readyz`)).status === 200,
    /** The value of a metric with its labels, as text, or undefined if there is no such line. */
    metric: async (name: string): Promise<string | undefined> => {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
      return lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
    },
    /** Writes something, and makes the server archive it. */
    write: async (name: string): Promise<void> => {
      await sql(`insert into accounts (name, created_at, updated_at) values ('${name}', now(), now())`);
      await sql('select pg_switch_wal()');
    },
    /** The finding of doctor about the archive. */
    diagnosis: async (): Promise<Pick<Finding, 'severity' | 'message'>> => {
      const findings = await runChecks({ ROSTER_DATA_DIR: dataDir, ROSTER_WAL_ARCHIVE: place }, url);
      const { severity, message } = findings.findLast(({ check }) => check === 'backups')!;
      return { severity, message };
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await stop();
    },
  };
}

/** The segments of the WAL in the only archive of a place. */
async function segments(place: string): Promise<string[]> {
  const [name] = await readdir(place).catch(() => []);
  const files = name === undefined ? [] : await readdir(path.join(place, name, 'wal')).catch(() => []);
  return files.filter((file) => /^[0-9A-F]{24}[.]zst$/.test(file)).sort();
}

/** Whether the only archive of a place has a complete base backup. */
async function hasBase(place: string): Promise<boolean> {
  const files = await readdir(place, { recursive: true }).catch(() => []);
  return files.some((file) => /base-[^/]+\/manifest[.]json$/.test(file));
}

const archivingWorks = {
  severity: 'ok',
  message: expect.stringMatching(/^The WAL is archived in .*; the last base backup is \d+ minutes old\.$/),
};

test('a service continues archiving after a restart, and doctor and the metrics show the state', async () => {
  {
    await using service = await startService(archives);
    await until(() => hasBase(archives), 120_000);
    expect(await service.stop()).toBe(0);
  }
  const before = await segments(archives);
  await using service = await startService(archives);
  await service.write('after the restart');
  await until(async () => (await segments(archives)).length > before.length, 60_000);
  expect(await readdir(archives)).toHaveLength(1);
  // A worker measures these values every few seconds.
  const soon = { timeout: 60_000, interval: 500 };
  await expect.poll(() => service.diagnosis(), soon).toEqual(archivingWorks);
  await expect.poll(() => service.metric('roster_wal_archive_failing'), soon).toBe('0');
  await expect
    .poll(async () => Number(await service.metric('roster_backup_age_seconds{kind="files"}')), soon)
    .toBeGreaterThan(0);
  await expect.poll(() => service.metric('roster_backup_last_failed{kind="files"}'), soon).toBe('0');
}, 300_000);

test('a missing archive is reported, is not created again, and is continued without a gap when it is back', async () => {
  const away = path.join(directory.path, 'away');
  {
    await using service = await startService(archives);
    // This looks like a disk that is no longer mounted.
    await rename(archives, away);
    await service.write('while it was away');
    await until(() => service.output().includes('has lost wal/'), 60_000);
    await until(async () => (await service.diagnosis()).severity === 'fault', 60_000);
    expect(await service.diagnosis()).toEqual({
      severity: 'fault',
      message: `The WAL cannot be archived in ${archives}.`,
    });
    expect(await service.isReady()).toBe(true);
    expect(await segments(archives)).toEqual([]);
    await rename(away, archives);
    await service.write('when it was back');
    await until(async () => (await service.diagnosis()).severity === 'ok', 120_000);
    expect(await service.stop()).toBe(0);
  }
  const restored = path.join(directory.path, 'restored');
  expect(await roster(['restore', '--from', archives], { ROSTER_DATA_DIR: restored })).toMatchObject({ code: 0 });
  await using server = await startEmbeddedPostgres({ dataDir: restored, log: silent, settings: quick });
  const names = (await query(server.url, 'select name from accounts order by account_id')).map((row) => row['name']);
  expect(names.slice(-3)).toEqual(['after the restart', 'while it was away', 'when it was back']);
}, 300_000);

test.skipIf(smallDiskObstacle() !== undefined)(
  'an archive on a full disk is reported, also after a restart, and archiving continues when there is space',
  async (context) => {
    using disk = await mountSmallDisk();
    if (disk === undefined) return context.skip('the system does not allow to mount a file system');
    const place = path.join(disk.path, 'archives');
    {
      await using service = await startService(place);
      await until(() => hasBase(place), 120_000);
      await disk.fill();
      await service.write('without room');
      await until(() => service.output().includes('its disk is full. Free some space'), 60_000);
      expect(await service.isReady()).toBe(true);
      expect(await service.stop()).toBe(0);
    }
    await using service = await startService(place);
    expect(await service.isReady()).toBe(true);
    await until(async () => (await service.metric('roster_wal_archive_failing')) === '1', 120_000);
    expect(await service.diagnosis()).toEqual({
      severity: 'fault',
      message: `The WAL cannot be archived in ${place}.`,
    });
    const before = await segments(place);
    disk.free();
    await service.write('with room');
    await until(async () => (await segments(place)).length > before.length + 1, 120_000);
    expect(await service.diagnosis()).toEqual(archivingWorks);
  },
  300_000,
);
