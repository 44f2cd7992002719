import { chmod, mkdir, mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { bucket, startS3Server } from '../exports/s3-server.ts';
import { run } from '../cli/in-process.ts';
import { query as embeddedQuery, quick, silent } from '../../../embedded-postgres/test/support.ts';
import { listBackups } from '#features/backups/store/find-backup.ts';
import { checkBackup } from '#features/backups/copy/check-backup.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { localFileStore } from '#platform/files/local-file-store.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { createEmptyDatabase, fingerprint, query } from './support.ts';

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-backup-')));
const service = await forFile(startTestService());
// PostgreSQL may run as another user.
await chmod(directory, 0o711);
await service.first.createContacts([{ identity: 'a@example.com', email: 'a@example.com' }]);
// The last use of the key is stored some seconds later. A later time is kept, so nothing changes
// between a backup and the comparison.
await service.context.db
  .updateTable('api_keys')
  .where('account_id', '=', service.first.accountId)
  .set({ last_used_at: new Date('2100-01-01T00:00:00Z') })
  .execute();
afterEach(() => vi.unstubAllEnvs());

const useDatabase = (databaseUrl: string): void => void vi.stubEnv('DATABASE_URL', databaseUrl);

test('a backup is written to a directory, and the newest backup is restored from there', async () => {
  const place = path.join(directory, 'several');
  useDatabase(service.context.config.databaseUrl!);
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

  // A newer, interrupted backup is ignored.
  await rm(path.join(second.backup, 'manifest.json'));
  await using target = await createEmptyDatabase();
  useDatabase(target.url);
  const restored = await run(['restore', '--from', place, '--json']);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(restored.stdout)).toMatchObject({ backup: first.backup, rows: first.rows });
  expect(await fingerprint(target.url)).toEqual(await fingerprint(service.context.config.databaseUrl!));
  // The restored database is not overwritten.
  expect(await run(['restore', '--from', place])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database is not empty'),
  });
});

test('a backup is written to S3 and restored from there', async () => {
  await using server = await startS3Server();
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'S3RVER');
  vi.stubEnv('AWS_ENDPOINT_URL', server.endpoint);
  useDatabase(service.context.config.databaseUrl!);
  const place = `s3://${bucket}/back/ups`;
  const made = await run(['backup', '--to', place]);
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`The backup ${place}/roster-`) });
  await using target = await createEmptyDatabase();
  useDatabase(target.url);
  expect(await run(['restore', '--from', place])).toMatchObject({ code: 0, stderr: '' });
  expect(await fingerprint(target.url)).toEqual(await fingerprint(service.context.config.databaseUrl!));
  // If the server refuses a part, the backup fails and leaves no object.
  const before = await server.objects();
  useDatabase(service.context.config.databaseUrl!);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
  const refused =
    `${place}/ cannot be used: The request signature we calculated does not match the signature you provided. Check your key and signing method. ` +
    'Check the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), AWS_REGION, and the permissions to list, read, write and delete.';
  expect(await run(['backup', '--to', place])).toMatchObject({ code: 1, stderr: `${refused}\n` });
  expect(await server.objects()).toEqual(before);
  // The error that doctor shows.
  const failed = await query(
    service.context.config.databaseUrl!,
    `select error from backup_runs where status = 'failed'`,
  );
  expect(failed).toEqual([{ error: refused }]);
});

test('backup and restore report why a place in S3 cannot be used, and what to do', async () => {
  await using server = await startS3Server();
  vi.stubEnv('AWS_ENDPOINT_URL', server.endpoint);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'S3RVER');
  useDatabase(service.context.config.databaseUrl!);
  const expectBoth = async (place: string, message: string): Promise<void> => {
    const ended = { code: 1, stdout: '', stderr: expect.stringContaining(`${place}/ cannot be used: ${message}`) };
    for (const words of [
      ['backup', '--to'],
      ['restore', '--from'],
    ])
      expect(await run([...words, place])).toEqual(ended);
  };
  await expectBoth('s3://missing/x', 'the bucket does not exist. Create the bucket, or use another one.');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'wrong');
  await expectBoth(
    `s3://${bucket}/x`,
    'The AWS Access Key Id you provided does not exist in our records. Check the cred',
  );
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
  // Otherwise the client asks an address of the AWS network for credentials.
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('HOME', directory);
  await expectBoth(`s3://${bucket}/x`, 'Could not load credentials from any providers. Check the credentials (AWS_ACC');
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'S3RVER');
  vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
  await expectBoth(`s3://${bucket}/x`, 'connect ECONNREFUSED 127.0.0.1:1. Check AWS_ENDPOINT_URL and AWS_REGION, and');
});

test.each(['disk_full', 'read_only_sql_transaction'])(
  'a backup is complete although the database refuses to store it with %s',
  async (refusal) => {
    await using source = await createTestContext();
    const url = source.config.databaseUrl!;
    const refuse = (name: string, when: string) =>
      query(
        url,
        `create function ${name}() returns trigger language plpgsql as $$ begin raise ${refusal}; end $$;
         create trigger ${name} before ${when} on backup_runs execute function ${name}()`,
      );
    useDatabase(url);
    const place = path.join(directory, refusal);
    // The disk becomes full while the backup runs.
    await refuse('refuse_update', 'update');
    expect(await run(['backup', '--to', place])).toMatchObject({ code: 0 });
    // It is full before.
    await refuse('refuse_insert', 'insert');
    expect(await run(['backup', '--to', place])).toMatchObject({ code: 0 });
    expect((await listBackups(place, source.config)).map(({ isComplete }) => isComplete)).toEqual([true, true]);
  },
);

test('a directory that cannot be used is reported with the reason and what to do', async () => {
  useDatabase(service.context.config.databaseUrl!);
  const file = import.meta.filename;
  const isFile = 'cannot be used: the path, or a part of it, is a file or a broken link. Use a directory.\n';
  for (const place of [file, path.join(file, 'below')]) {
    expect(await run(['backup', '--to', place])).toEqual({ code: 1, stdout: '', stderr: `${place} ${isFile}` });
    expect(await run(['restore', '--from', place])).toEqual({ code: 1, stdout: '', stderr: `${place} ${isFile}` });
  }
  const closed = path.join(directory, 'closed');
  await mkdir(closed, { mode: 0o500 });
  // File modes do not stop root, but the file system of the kernel does.
  const place = process.getuid?.() === 0 ? '/sys/backups' : closed;
  expect(await run(['backup', '--to', place])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${place} cannot be used: this user has no permission to read or write there. Give the user the permission, or use another directory.\n`,
  });
});

test('an unreachable database is reported as such, not as an unusable place', async () => {
  useDatabase('postgres://roster:secret@127.0.0.1:1/roster');
  const place = path.join(directory, 'unused');
  expect(await run(['backup', '--to', place])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The database cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check the host and port in DATABASE_URL, that the server is running, and that no firewall blocks it.\n',
  });
});

test('backups that start at the same time are all complete', async () => {
  useDatabase(service.context.config.databaseUrl!);
  const place = path.join(directory, 'twice');
  const ended = await Promise.all([1, 2, 3].map(() => run(['backup', '--to', place])));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']));
  expect(await readdir(place)).toHaveLength(3);
  for (const name of await readdir(place)) {
    const own = path.join(place, name);
    await expect(checkBackup(localFileStore(own), own)).resolves.toMatchObject({ manifest: { name } });
  }
});

test('the embedded PostgreSQL can be backed up while it runs or is stopped, and restored into a new data directory', async () => {
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
    // A service runs on this data directory.
    expect(await run(['restore', '--from', place])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another process'),
    });
  }
  expect(await run(['backup', '--to', place])).toMatchObject({ code: 0, stderr: '' });
  vi.stubEnv('ROSTER_DATA_DIR', restored);
  expect(await run(['restore', '--from', place])).toMatchObject({ code: 0, stderr: '' });
  await using server = await startEmbeddedPostgres({ dataDir: restored, log: silent, settings: quick });
  expect(await embeddedQuery(server.url, 'select name from accounts')).toEqual([{ name: 'Käthe' }]);
});

test('a restore from a place with backups of several installations asks for one of them', async () => {
  const place = path.join(directory, 'shared');
  useDatabase(service.context.config.databaseUrl!);
  await run(['backup', '--to', place]);
  await using other = await startTestService({ worker: false });
  useDatabase(other.context.config.databaseUrl!);
  // All test databases are clones with the same id. Real installations have different ids.
  await query(other.context.config.databaseUrl!, 'update installation set installation_id = gen_random_uuid()');
  await run(['backup', '--to', place]);
  const names = await readdir(place);
  await using target = await createEmptyDatabase();
  useDatabase(target.url);
  const refused = await run(['restore', '--from', place]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('backups of several installations') });
  for (const name of names) expect(refused.stderr).toContain(name);
  expect(await run(['restore', '--from', path.join(place, names[0]!)])).toMatchObject({ code: 0 });
});

test.each([
  [
    ['restore', '--from', '/does/not/exist'],
    1,
    'There is no complete backup in /does/not/exist. Use the place of `roster backup --to`, or one backup in it.',
  ],
  [['backup', '--to', 'ftp://somewhere/x'], 2, '--to must be a directory or s3://bucket/prefix.'],
  [['backup', '--to', 's3://'], 2, '--to must be s3://bucket or s3://bucket/prefix.'],
  [['backup'], 2, 'Say where the backup goes: --to /var/backups/roster, or --to s3://bucket/prefix.'],
  [['backup', '--to', ''], 2, 'Say where the backup goes: '],
  [['backup', '/var/backups'], 2, "too many arguments for 'backup'. Expected 0 arguments but got 1: /var/backups."],
  [['backup', '-to', '/var/backups'], 2, "unknown option '-to'"],
  [['restore'], 2, 'Say what to restore: --from /var/backups/roster, or --from s3://bucket/prefix.'],
  [['restore', '--from', 'x', '--at', 'yesterday'], 2, 'must be a moment with its time zone, such as 2026-01-31T14:05'],
  [['restore', '--from', 'x', '--at', '2026-01-31 14:05'], 2, 'must be a moment with its time zone'],
  [['restore', '--from', 'x', '--at', '2026-02-31T14:05:00Z'], 2, 'must be a moment with its time zone'],
  [['restore', '--from', 'x', '--at', '2026-01-31T25:05:00Z'], 2, 'must be a moment with its time zone'],
  [['restore', '--from', '/does/not/exist', '--at', '2026-01-31T14:05+01:00'], 1, 'There is no WAL archive in /does/n'],
])('`roster` with the arguments %j exits with %i', async (args, code, message) => {
  useDatabase(service.context.config.databaseUrl!);
  expect(await run(args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
});
