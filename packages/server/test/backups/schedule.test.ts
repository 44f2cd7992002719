import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupName } from '#features/backups/store/backup-name.ts';
import { listBackups } from '#features/backups/store/find-backup.ts';
import { backupUpkeep } from '#features/backups/backup-upkeep.ts';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { readConfig } from '#platform/config/config.ts';
import type { Context } from '#platform/context.ts';
import { createTestContext, testLayout } from '../support/context.ts';
import { query } from './support.ts';

const hour = 3_600_000;
let directory: string;
let place: string;
let context: Context;
/** The current time of the context. The installation was created at 12:00. */
let time: Date;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-backup-'));
  place = path.join(directory, 'backups');
  time = new Date('2026-01-31T12:00:00Z');
  const config = { backupTo: place, backupSchedule: '0 2 * * *', backupRetentionDays: 3 };
  context = await createTestContext({ config, now: () => time });
  await query(context.config.databaseUrl!, `update installation set made_at = '2026-01-31T12:00:00Z'`);
});
afterEach(async () => {
  await context[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** The clock of the tests is not that of the database. */
const runSchedule = () => backupUpkeep(context, new AbortController().signal, async () => true);
const names = async (): Promise<string[]> => readdir(place).catch(() => []);
const runs = () =>
  query(
    context.config.databaseUrl!,
    'select status, error is not null as explained from backup_runs order by started_at',
  );

/** The value of a metric without labels. */
async function metric(name: string): Promise<number> {
  const { values } = await context.metrics.registry.getSingleMetric(name)!.get();
  return values[0]!.value;
}

describe('scheduled backups', () => {
  test('a scheduled backup is made once when it is due, by one process', async () => {
    await runSchedule();
    expect(await names()).toEqual([]);
    expect(await metric('roster_backup_age_seconds')).toBeNaN();
    // No process ran at 02:00, so the backup is made as soon as one does.
    time = new Date('2026-02-01T05:00:00Z');
    await Promise.all([runSchedule(), runSchedule(), runSchedule()]);
    await runSchedule();
    const made = await listBackups(place, context.config);
    expect(made).toEqual([expect.objectContaining({ isComplete: true, startedAt: time })]);
    time = new Date('2026-02-02T01:59:00Z');
    await runSchedule();
    expect(await names()).toHaveLength(1);
    expect(await metric('roster_backup_age_seconds')).toBe((20 * 60 + 59) * 60);
    time = new Date('2026-02-02T02:00:00Z');
    await runSchedule();
    expect(await names()).toHaveLength(2);
    expect(await runs()).toEqual([1, 2].map(() => ({ status: 'completed', explained: false })));
  });

  test('a failed scheduled backup is reported, leaves no files, and is retried after 15 minutes', async () => {
    // A file has the name of the directory for the backups.
    await writeFile(place, '');
    time = new Date('2026-02-01T03:00:00Z');
    await runSchedule();
    expect(await runs()).toEqual([{ status: 'failed', explained: true }]);
    expect(await metric('roster_backup_last_failed')).toBe(1);
    expect(await metric('roster_backup_overdue_seconds')).toBe(3600);
    const env = { DATABASE_URL: context.config.databaseUrl, ...testLayout, ROSTER_DATA_DIR: directory, PORT: '1' };
    const findings = await runChecks({ ...env, ROSTER_BACKUP_TO: place, ROSTER_BACKUP_SCHEDULE: '0 2 * * *' });
    expect(findings.find(({ check }) => check === 'backups')).toMatchObject({
      severity: 'fault',
      message: expect.stringContaining('The last attempt failed: '),
    });
    await rm(place);
    time = new Date('2026-02-01T03:14:00Z');
    await runSchedule();
    expect(await names()).toEqual([]);
    time = new Date('2026-02-01T03:15:00Z');
    await runSchedule();
    expect(await names()).toHaveLength(1);
    expect(await metric('roster_backup_last_failed')).toBe(0);
    expect(await metric('roster_backup_overdue_seconds')).toBe(0);
  });

  test('a scheduled backup that a stop interrupts leaves no files', async () => {
    time = new Date('2026-02-01T03:00:00Z');
    await backupUpkeep(context, AbortSignal.abort(new Error('stopping')));
    expect(await names()).toEqual([]);
    expect(await runs()).toEqual([{ status: 'failed', explained: true }]);
  });

  test('old backups are deleted, but never the newest one, those of other installations, or incomplete ones', async () => {
    const other = backupName('ffffffff-0000-7000-8000-000000000000', new Date('2020-01-01T00:00:00Z'));
    const torn = backupName('00000000-0000-7000-8000-000000000000', new Date('2020-01-01T00:00:00Z'));
    for (const [name, file] of [
      [other, 'manifest.json'],
      [torn, 'public.contacts.zst'],
    ] as const) {
      await mkdir(path.join(place, name), { recursive: true });
      await writeFile(path.join(place, name, file), '{}');
    }
    for (const day of [1, 2, 3, 4, 5]) {
      time = new Date(Date.UTC(2026, 1, day, 2));
      await runSchedule();
    }
    const days = (await listBackups(place, context.config)).map(({ startedAt }) =>
      startedAt.toISOString().slice(0, 10),
    );
    expect(days).toEqual(['2026-02-05', '2026-02-04', '2026-02-03', '2026-02-02', '2020-01-01', '2020-01-01']);
    // After a year without a new backup, only the newest one is kept.
    time = new Date('2027-02-05T02:00:00Z');
    await runSchedule();
    const left = (await listBackups(place, context.config)).map(({ startedAt }) =>
      startedAt.toISOString().slice(0, 10),
    );
    expect(left).toEqual(['2027-02-05', '2020-01-01', '2020-01-01']);
  });

  test('a process with a wrong clock makes a backup, and deletes none', async () => {
    time = new Date('2026-02-01T02:00:00Z');
    await runSchedule();
    time = new Date('2036-02-01T02:00:00Z');
    await backupUpkeep(context, new AbortController().signal);
    expect(await listBackups(place, context.config)).toHaveLength(2);
    time = new Date('2036-02-02T02:00:00Z');
    await runSchedule();
    expect(await listBackups(place, context.config)).toHaveLength(2);
  });

  test('a complete backup whose process was killed is kept', async () => {
    time = new Date('2026-02-01T02:01:00Z');
    await runSchedule();
    const [complete] = await names();
    await query(context.config.databaseUrl!, `update backup_runs set status = 'running', finished_at = null`);
    time = new Date(time.getTime() + 25 * hour);
    await runSchedule();
    expect(await names()).toContain(complete);
    expect(await runs()).toEqual([1, 2].map(() => ({ status: 'completed', explained: false })));
  });

  test('a backup whose process was killed is removed a day later', async () => {
    const killed = path.join(place, 'roster-01234567-20260201T020000000Z');
    await mkdir(killed, { recursive: true });
    await writeFile(path.join(killed, 'public.contacts.zst.part'), 'half');
    await query(
      context.config.databaseUrl!,
      `insert into backup_runs (backup_run_id, kind, name, place, started_at, status)
       values (gen_random_uuid(), 'database', '${path.basename(killed)}', '${place}', '2026-02-01T02:00:00Z', 'running')`,
    );
    time = new Date('2026-02-01T02:01:00Z');
    await runSchedule();
    expect(await names()).toContain(path.basename(killed));
    time = new Date(time.getTime() + 25 * hour);
    await runSchedule();
    expect(await names()).not.toContain(path.basename(killed));
    expect(await names()).toHaveLength(2);
  });
});

test('leftovers of a killed backup in an unusable place do not block new backups', async () => {
  const blocked = path.join(directory, 'blocked');
  await writeFile(blocked, 'a file is where the backups were');
  await query(
    context.config.databaseUrl!,
    `insert into backup_runs (backup_run_id, kind, name, place, started_at, status)
     values (gen_random_uuid(), 'database', 'roster-01234567-20260130T020000000Z', '${blocked}', '2026-01-30T02:00:00Z', 'running')`,
  );
  time = new Date('2026-02-01T02:01:00Z');
  await runSchedule();
  expect(await names()).toHaveLength(1);
});

test('doctor reports the age of the last backup, and a missing schedule', async () => {
  const finding = async (env: object) =>
    (
      await runChecks({
        DATABASE_URL: context.config.databaseUrl,
        ...testLayout,
        ROSTER_DATA_DIR: directory,
        PORT: '1',
        ...env,
      })
    ).find(({ check }) => check === 'backups');
  expect(await finding({})).toMatchObject({
    severity: 'note',
    message: 'There is no backup of this database. No backups are scheduled.',
  });
  time = new Date();
  await query(context.config.databaseUrl!, `update installation set made_at = now() - interval '2 days'`);
  const scheduled = { ROSTER_BACKUP_TO: place, ROSTER_BACKUP_SCHEDULE: '0 2 * * *' };
  expect(await finding(scheduled)).toMatchObject({ severity: 'fault', message: expect.stringContaining('was due') });
  await runSchedule();
  expect(await finding(scheduled)).toMatchObject({
    severity: 'ok',
    message: `The last backup is 0 minutes old, in ${place}.`,
  });
  // A failed attempt, such as a mistyped `roster backup --to`, changes nothing about the good backup.
  await query(
    context.config.databaseUrl!,
    `insert into backup_runs (backup_run_id, kind, name, place, started_at, finished_at, status, error)
     values (gen_random_uuid(), 'database', 'roster-0123abcd-mistyped', '/typo', now() + interval '1 second', now() + interval '2 seconds', 'failed', '/typo cannot be used. Use a directory.')`,
  );
  for (const env of [scheduled, {}]) {
    expect(await finding(env)).toMatchObject({
      severity: 'warning',
      message: `The last backup is 0 minutes old, in ${place}. The last attempt failed: /typo cannot be used. Use a directory.`,
    });
  }
  await query(context.config.databaseUrl!, `delete from backup_runs where place = '/typo'`);
});

test.each([
  [{ ROSTER_BACKUP_SCHEDULE: '0 2 * * *' }, 'ROSTER_BACKUP_SCHEDULE needs ROSTER_BACKUP_TO'],
  [{ ROSTER_BACKUP_SCHEDULE: 'daily', ROSTER_BACKUP_TO: '/b' }, 'ROSTER_BACKUP_SCHEDULE must be a cron expression'],
  [
    { ROSTER_BACKUP_SCHEDULE: '0 2 31 2 *', ROSTER_BACKUP_TO: '/b' },
    'ROSTER_BACKUP_SCHEDULE must be a cron expression',
  ],
  [
    { ROSTER_BACKUP_SCHEDULE: '* * * * * *', ROSTER_BACKUP_TO: '/b' },
    'ROSTER_BACKUP_SCHEDULE must be a cron expression',
  ],
  [{ ROSTER_BACKUP_TO: 'https://bucket' }, 'ROSTER_BACKUP_TO must be a directory'],
  [{ ROSTER_BACKUP_RETENTION_DAYS: '0' }, 'ROSTER_BACKUP_RETENTION_DAYS must be an integer'],
])('the settings %j are refused', (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});
