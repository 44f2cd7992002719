import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bucket, startS3Server } from '../exports/s3-server.ts';
import { run } from '../cli/in-process.ts';
import { query as embeddedQuery, quick, silent } from '../embedded/support.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrateToLatest } from '../../src/db/migrate.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createEmptyDatabase, fingerprint, query } from './support.ts';

let service: TestService;
let directory: string;
beforeAll(async () => {
  service = await startTestService();
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-backup-'));
  // PostgreSQL may run as another user.
  await chmod(directory, 0o711);
  await service.first.apply('/contact/create', {
    data: { contact_type: 'identified', contacts: [{ identity: 'a@example.com', email: 'a@example.com' }] },
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const on = (databaseUrl: string): void => void vi.stubEnv('DATABASE_URL', databaseUrl);

test('a backup goes to a directory, and the newest one comes back from there', async () => {
  const place = path.join(directory, 'several');
  on(service.context.config.databaseUrl!);
  const first = JSON.parse((await run(['backup', '--to', place, '--json'])).stdout);
  const second = JSON.parse((await run(['backup', '--to', place, '--json'])).stdout);
  expect(second).toMatchObject({
    name: expect.stringMatching(/^roster-[0-9a-f]{8}-\d{8}T\d{9}Z$/),
    seconds: expect.any(Number),
  });
  expect(new Set(await readdir(place))).toEqual(new Set([first.name, second.name]));
  const runs = await query(
    service.context.config.databaseUrl!,
    'select name, status, size::int from backup_runs order by started_at',
  );
  expect(runs).toEqual([first, second].map(({ name, bytes }) => ({ name, status: 'completed', size: bytes })));

  // A newer one that was interrupted counts for nothing.
  await rm(path.join(second.backup, 'manifest.json'));
  await using target = await createEmptyDatabase();
  on(target.url);
  const restored = await run(['restore', '--from', place, '--json']);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(restored.stdout)).toMatchObject({ backup: first.backup, rows: first.rows });
  expect(await fingerprint(target.url)).toEqual(await fingerprint(service.context.config.databaseUrl!));
  // What is there now is not written over.
  expect(await run(['restore', '--from', place])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database is not empty'),
  });
});

test('a backup goes to S3 and comes back', async () => {
  await using server = await startS3Server();
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'S3RVER');
  vi.stubEnv('AWS_ENDPOINT_URL', server.endpoint);
  on(service.context.config.databaseUrl!);
  const place = `s3://${bucket}/back/ups`;
  const made = await run(['backup', '--to', place]);
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`The backup ${place}/roster-`) });
  await using target = await createEmptyDatabase();
  on(target.url);
  expect(await run(['restore', '--from', place])).toMatchObject({ code: 0, stderr: '' });
  expect(await fingerprint(target.url)).toEqual(await fingerprint(service.context.config.databaseUrl!));
  // A part that the server does not take fails the backup; nothing of it stays.
  const before = await server.objects();
  on(service.context.config.databaseUrl!);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
  expect(await run(['backup', '--to', place])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The backup could not be made: '),
  });
  expect(await server.objects()).toEqual(before);
  const failed = await query(
    service.context.config.databaseUrl!,
    `select error from backup_runs where status = 'failed'`,
  );
  expect(failed).toEqual([{ error: expect.any(String) }]);
});

test('the embedded PostgreSQL is backed up while it runs and while it does not, and restored into a new data directory', async () => {
  vi.stubEnv('DATABASE_URL', '');
  const [dataDir, restored, place] = ['data', 'restored', 'embedded'].map((name) => path.join(directory, name)) as [
    string,
    string,
    string,
  ];
  vi.stubEnv('ROSTER_DATA_DIR', dataDir);
  expect(await run(['backup', '--to', place])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no database in the data directory'),
  });
  {
    await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
    await migrateToLatest(server.url, silent);
    await embeddedQuery(
      server.url,
      `insert into accounts (name, created_at, updated_at) values ('Käthe', now(), now())`,
    );
    expect(await run(['backup', '--to', place])).toMatchObject({ code: 0, stderr: '' });
    // A service runs on it.
    expect(await run(['restore', '--from', place])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another Roster service'),
    });
  }
  expect(await run(['backup', '--to', place])).toMatchObject({ code: 0, stderr: '' });
  vi.stubEnv('ROSTER_DATA_DIR', restored);
  expect(await run(['restore', '--from', place])).toMatchObject({ code: 0, stderr: '' });
  await using server = await startEmbeddedPostgres({ dataDir: restored, log: silent, settings: quick });
  expect(await embeddedQuery(server.url, 'select name from accounts')).toEqual([{ name: 'Käthe' }]);
});

test('backups of several installations in one place are told apart', async () => {
  const place = path.join(directory, 'shared');
  on(service.context.config.databaseUrl!);
  await run(['backup', '--to', place]);
  await using other = await startTestService({ worker: false });
  on(other.context.config.databaseUrl!);
  // Databases of the tests are copies of one, which no restore makes.
  await query(other.context.config.databaseUrl!, 'update installation set installation_id = gen_random_uuid()');
  await run(['backup', '--to', place]);
  const names = await readdir(place);
  await using target = await createEmptyDatabase();
  on(target.url);
  const refused = await run(['restore', '--from', place]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('backups of several installations') });
  for (const name of names) expect(refused.stderr).toContain(name);
  expect(await run(['restore', '--from', path.join(place, names[0]!)])).toMatchObject({ code: 0 });
});

test.each([
  [['restore', '--from', '/does/not/exist'], 1, 'There is no complete backup in /does/not/exist.'],
  [['backup', '--to', 'ftp://somewhere/x'], 2, '--to must be a directory, or like s3://bucket/prefix.'],
  [['backup', '--to', import.meta.filename], 1, 'The backup could not be made: '],
  [['restore'], 2, "required option '--from <place>' not specified"],
])('%j ends with %i', async (args, code, message) => {
  on(service.context.config.databaseUrl!);
  expect(await run(args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
});
