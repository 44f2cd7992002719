import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { maintainArchive } from '#features/backups/archive/base-backup-schedule.ts';
import { startArchivedPostgres } from '#features/backups/archive/archived-postgres.ts';
import { placeWithin } from '#platform/config/backup-place.ts';
import { openBackupStore } from '#features/backups/store/backup-store.ts';
import { writeText } from '#features/backups/store/store-files.ts';
import { readConfig } from '#platform/config/config.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { run } from '../cli/in-process.ts';
import { quick as settings, silent as log, temporaryDirectory } from '../../../embedded-postgres/test/support.ts';
import { bucket, startS3Server, type S3Server } from '../exports/s3-server.ts';
import { query } from './support.ts';

const day = 86_400_000;
const place = `s3://${bucket}/wal/roster`;
let directory: AsyncDisposable & { readonly path: string };
let server: S3Server;
/** The names of the base backups, in the order in which they were made. */
let bases: string[];
/**
 * The WAL files in the archive before the retention began, and the recorded runs of base backups
 * after it.
 */
let walBefore: string[];
let runs: Record<string, unknown>[];
/**
 * A time after each base backup and after the account created after it, by the clock of the
 * database.
 */
const moments: string[] = [];

/** The names of the objects below a prefix of the only archive, sorted. */
async function objects(prefix: string): Promise<string[]> {
  const own = new RegExp(`^wal/roster/archive-[^/]+/(${prefix}.*)$`);
  return (await server.objects()).flatMap((key) => own.exec(key)?.[1] ?? []).sort();
}

const baseNames = async (): Promise<string[]> => [
  ...new Set((await objects('base-')).map((key) => key.split('/')[0]!)),
];

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = await startS3Server();
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'S3RVER');
  vi.stubEnv('AWS_ENDPOINT_URL', server.endpoint);
  vi.stubEnv('DATABASE_URL', '');
  const dataDir = path.join(directory.path, 'data');
  const config = readConfig({
    ROSTER_DATA_DIR: dataDir,
    ROSTER_WAL_ARCHIVE: place,
    AWS_ENDPOINT_URL: server.endpoint,
  });
  await using postgres = await startArchivedPostgres(config, { log, settings });
  await migrateToLatest(postgres.url, log);
  const began = Date.now();
  const keep = (now: number): Promise<void> =>
    maintainArchive({ config, postgres, log, now: () => new Date(now) }, new AbortController().signal);
  for (const number of [0, 1, 2]) {
    await keep(began + number * 2 * day);
    const sql = `insert into accounts (name, created_at, updated_at) values ('after ${number}', now(), now())`;
    await query(postgres.url, sql);
    await sleep(20);
    const [row] = await query(
      postgres.url,
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
    );
    moments.push(row!['now'] as string);
    await sleep(20);
  }
  bases = await baseNames();
  // No base backup is due.
  await keep(Date.now());
  expect(await baseNames()).toEqual(bases);
  walBefore = await objects('wal/');
  // A killed service leaves this behind.
  const archive = placeWithin(config.walArchive!, (await server.objects())[0]!.split('/')[2]!);
  await using store = openBackupStore(archive, config);
  await writeText(store, 'base-20260101T000000000Z/base.tar.zst', 'half', 'application/zstd');
  await query(
    postgres.url,
    `insert into backup_runs (backup_run_id, kind, name, place, started_at, status)
     values (gen_random_uuid(), 'files', 'base-20260101T000000000Z', '${place}', now(), 'running')`,
  );
  // The retention of 14 days begins between the second and the third base backup. A restore to its
  // first moments starts from the second one.
  await keep(Date.parse(moments[1]!) + 14 * day);
  runs = await query(postgres.url, 'select status, error from backup_runs order by started_at');
}, 300_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

/**
 * Restores with the command line into a new data directory. Returns the names of the accounts
 * there. If the command fails, returns its result.
 */
async function restored(name: string, args: readonly string[]): Promise<unknown> {
  const dataDir = path.join(directory.path, name);
  vi.stubEnv('ROSTER_DATA_DIR', dataDir);
  const ended = await run(['restore', '--from', place, ...args]);
  if (ended.code !== 0) return ended;
  await using postgres = await startEmbeddedPostgres({ dataDir, log, settings });
  return (await query(postgres.url, 'select name from accounts order by account_id')).map((row) => row['name']);
}

test('base backups older than the retention needs are deleted, and so is the WAL that no other base backup needs', async () => {
  expect(bases).toHaveLength(3);
  const left = await baseNames();
  expect(left).toHaveLength(3);
  expect(left.slice(0, 2)).toEqual(bases.slice(1));
  const wal = await objects('wal/');
  const gone = walBefore.filter((key) => !wal.includes(key));
  // The deleted WAL is everything before one segment, in which the second base backup begins.
  expect(gone.length).toBeGreaterThan(0);
  expect(walBefore.slice(0, gone.length)).toEqual(gone);
});

test('a base backup whose process was killed is removed, and recorded as interrupted', async () => {
  expect(await objects('base-20260101')).toEqual([]);
  expect(runs.filter(({ status }) => status !== 'completed')).toEqual([
    { status: 'failed', error: 'it was interrupted' },
  ]);
});

test('the embedded PostgreSQL can be restored from S3 to a time within the retention, and to the end of the archive', async () => {
  expect(await restored('moment', ['--at', moments[1]!])).toEqual(['after 0', 'after 1']);
  expect(await restored('end', [])).toEqual(['after 0', 'after 1', 'after 2']);
}, 180_000);

test('a time before the oldest base backup is refused', async () => {
  expect(await restored('early', ['--at', moments[0]!])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/The archive s3:.* begins at .*Z\. Use a later time\./),
  });
});
