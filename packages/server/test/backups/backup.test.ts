import { createHash } from 'node:crypto';
import { cp, mkdtempDisposable, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { endSignIns } from '#features/backups/copy/sign-in-tables.ts';
import { databaseOn, openPool } from '#platform/database/connection/database.ts';
import { migrateWithin, migrationNames } from '#platform/database/schema/migrate.ts';
import { migrateJobs } from '#platform/database/schema/job-schema.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { backUp, createEmptyDatabase, fingerprint, query, restoreFrom } from './support.ts';

const log = pino({ level: 'silent' });

/**
 * Writes rows of every kind: contacts with any text, partitions, waiting requests, jobs, erasures,
 * large tables.
 */
async function fill(service: TestService): Promise<void> {
  const contacts = [
    {
      identity: 'kaethe@example.com',
      email: 'kaethe@example.com',
      attributes: { FIRST_NAME: 'Käthe "D’Arc" \\ \t\n😀' },
    },
    { identity: 'gu@example.com', email: 'gu@example.com', attributes: { LAST_NAME: '顧客' } },
  ];
  await service.first.createContacts(contacts);
  await service.first.operator('POST', '/activities', {
    data: [
      { identity: 'gu@example.com', channel: 'email', activity: 'open', occurred_at: '2026-01-31T12:00:00Z' },
      { identity: 'gu@example.com', channel: 'email', activity: 'click', occurred_at: '2026-02-01T00:00:00.123Z' },
    ],
  });
  await service.settled();
  // More rows than a restore inserts with indexes in place.
  await query(
    source,
    `insert into contacts (account_id, contact_id, contact_key, contact_type, email, attributes, list_ids, created_at, updated_at)
       select 1, 1000 + n, 'bulk' || n || '@example.com', 'identified', 'bulk' || n || '@example.com', jsonb_build_object('1.1', 'Name ' || n), '{1}', now(), now()
       from generate_series(1, 25000) n;
     create table activities_199912 partition of activities for values from ('1999-12-01Z') to ('2000-01-01Z');
     insert into activities (account_id, channel, activity, occurred_at, contact_key) values (1, 1, 1, '1999-12-31T23:59:59.999Z', 'gu@example.com');
     select roster_jobs.add_job('deliver', '{"account_id": 1}', run_at => now() + interval '1 day')`,
  );
  await service.createAccount({ name: 'Second' });
  await query(source, signIns);
}

/** A user, and everything that a restore must end. */
const signIns = `
  insert into users (name, email, email_key, passkey_handle, created_at, updated_at)
    values ('Asha', 'asha@example.com', 'asha@example.com', '\\x01', now(), now());
  insert into sessions (token_hash, user_id, method, address, client, created_at, authenticated_at, last_seen_at, expires_at)
    select '\\x01', user_id, 'password', '', '', now(), now(), now(), now() + interval '1 day' from users;
  insert into sign_in_steps (token_hash, kind, data, expires_at) values ('\\x01', 'passkey', '{}', now() + interval '1 day');
  insert into password_resets (token_hash, user_id, created_at, expires_at)
    select '\\x01', user_id, now(), now() + interval '1 day' from users;
  insert into set_up_links (token_hash, created_at) values ('\\x01', now());
  insert into sign_in_limits (key, points) values ('x', 1)`;

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-backup-')));
const service = await forFile(startTestService());
const source = service.context.config.databaseUrl!;
await fill(service);
/** A backup of the source. */
const whole = path.join(directory, 'whole');
const written = await backUp(source, whole);
/** The fingerprint of the source at the time of the backup. */
const content = await fingerprint(source);
expect(written.rows).toBeGreaterThan(25_000);

/** Returns how many users, sessions and links a database has. */
const countSignIns = async (url: string): Promise<Record<string, unknown>> =>
  (
    await query(
      url,
      `select (select count(*) from users)::int as users,
         ((select count(*) from sessions) + (select count(*) from sign_in_steps) + (select count(*) from password_resets)
           + (select count(*) from set_up_links) + (select count(*) from sign_in_limits))::int as sign_ins`,
    )
  )[0]!;

/** Whether a database has no table. */
const isEmpty = async (url: string): Promise<boolean> =>
  (await query(url, `select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`))
    .length === 0;

describe('a backup', () => {
  test('a backup has no sessions and links of users, and a restore ends those of an old backup', async () => {
    expect(await countSignIns(source)).toEqual({ users: 1, sign_ins: 5 });
    const names = await readdir(whole);
    expect(names).toContain('public.users.zst');
    expect(names.filter((name) => /session|sign_in_|reset|set_up/.test(name))).toEqual([]);

    await using target = await createEmptyDatabase();
    await restoreFrom(whole, target.url);
    expect(await countSignIns(target.url)).toEqual({ users: 1, sign_ins: 0 });

    // A backup of an earlier version has these tables.
    await query(target.url, signIns.slice(signIns.indexOf('insert into sessions')));
    const client = new pg.Client({ connectionString: target.url });
    await client.connect();
    await endSignIns(client);
    await client.end();
    expect(await countSignIns(target.url)).toEqual({ users: 1, sign_ins: 0 });
  });

  test('a backup can be restored into an empty database with every row, sequence, index and partition', async () => {
    await using target = await createEmptyDatabase();
    await restoreFrom(whole, target.url);
    expect(await fingerprint(target.url)).toEqual(content);
    const schema = `select indexdef from pg_indexes where schemaname in ('public', 'roster_jobs') order by 1`;
    expect(await query(target.url, schema)).toEqual(await query(source, schema));
    const bounds = `select relname, pg_get_expr(relpartbound, oid) from pg_class where relispartition and relkind = 'r' order by 1`;
    expect(await query(target.url, bounds)).toEqual(await query(source, bounds));
    // The copy is another installation, so it does not treat the backups of the original as its
    // own.
    const id = 'select installation_id from installation';
    expect(await query(target.url, id)).not.toEqual(await query(source, id));
  });

  test('a backup of a database under write load is consistent', async () => {
    const own = path.join(directory, 'moment');
    const before = await fingerprint(source);
    const writing = new AbortController();
    // Each transaction writes a contact and its line in the audit log. A consistent backup has
    // equal numbers of both.
    const writes = (async () => {
      for (let n = 0; !writing.signal.aborted; n++) {
        await query(
          source,
          `begin; insert into contacts (account_id, contact_id, contact_key, contact_type, created_at, updated_at) values (9, ${n}, 'torn${n}', 'identified', now(), now());
           insert into audit_log (account_id, occurred_at, actor, action, subject) values (9, now(), 'test', 'torn', 'torn${n}'); commit`,
        );
      }
    })();
    await backUp(source, own);
    writing.abort();
    await writes;
    await using target = await createEmptyDatabase();
    await restoreFrom(own, target.url);
    const [found] = await query(
      target.url,
      `select (select count(*) from contacts where account_id = 9) as contacts, (select count(*) from audit_log where account_id = 9) as lines`,
    );
    expect(found!['contacts']).toBe(found!['lines']);
    await query(source, 'delete from contacts where account_id = 9; delete from audit_log where account_id = 9');
    expect((await fingerprint(source))['public.contacts']).toBe(before['public.contacts']);
  });

  test('a backup contains every table, even one that a later migration creates', async () => {
    await using context = await createTestContext();
    const url = context.config.databaseUrl!;
    await query(
      url,
      'create table later (account_id integer, doubled integer generated always as (account_id * 2) stored); insert into later values (7)',
    );
    const { manifest } = await backUp(url, path.join(directory, 'later'));
    expect(manifest.tables.find(({ name }) => name === 'later')).toMatchObject({ rows: 1, columns: ['account_id'] });
    const all = await query(
      url,
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' and c.relkind = 'r'`,
    );
    const leftOut = all.filter(
      ({ name }) => !manifest.tables.some((table) => `${table.schema}.${table.name}` === name),
    );
    expect(new Set(leftOut.map(({ name }) => name))).toEqual(
      new Set([
        'public.backup_runs',
        'public.history_marks',
        'public.installation',
        'public.kysely_migration',
        'public.kysely_migration_lock',
        'public.password_resets',
        'public.sessions',
        'public.set_up_links',
        'public.sign_in_limits',
        'public.sign_in_steps',
        'roster_jobs.migrations',
      ]),
    );
  });

  test('a backup of an older version is restored and migrated to the newest schema', async () => {
    await using older = await createEmptyDatabase();
    const pool = openPool({ url: older.url, name: 'older', size: 2, log });
    await migrateJobs(pool, log);
    await pool.end();
    await inTransaction(older.url, (client) => migrateWithin(databaseOn(client), '0008_activities'));
    await query(
      older.url,
      `insert into accounts (name, created_at, updated_at) values ('Older', now(), now());
       insert into contacts (account_id, contact_key, contact_type, created_at, updated_at) values (1, 'a@example.com', 'identified', now(), now())`,
    );
    const own = path.join(directory, 'older');
    await backUp(older.url, own);
    await using target = await createEmptyDatabase();
    await restoreFrom(own, target.url);
    const all = await migrationNames();
    expect(await query(target.url, 'select name from kysely_migration order by name')).toEqual(
      all.map((name) => ({ name })),
    );
    expect(await query(target.url, 'select account_id, contact_key from contacts where account_id = 1')).toEqual([
      { account_id: 1, contact_key: 'a@example.com' },
    ]);
  });

  test('a backup of a newer version is refused', async () => {
    const own = await copyOfBackup('newer');
    await editManifest(own, (manifest) => ({ ...manifest, migrations: [...manifest.migrations, '9999_later'] }));
    await using target = await createEmptyDatabase();
    await expect(restoreFrom(own, target.url)).rejects.toThrow('migration 9999_later');
    expect(await isEmpty(target.url)).toBe(true);
  });
});

async function inTransaction(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Copies the backup of the source, so that a test can damage the copy. */
async function copyOfBackup(name: string): Promise<string> {
  const copy = path.join(directory, name.replaceAll(' ', '-'));
  await cp(whole, copy, { recursive: true });
  return copy;
}

type Manifest = Awaited<ReturnType<typeof backUp>>['manifest'];

/** Edits a manifest and writes the correct checksum for it. */
async function editManifest(own: string, edit: (manifest: Manifest) => object): Promise<void> {
  const file = path.join(own, 'manifest.json');
  const manifest = edit((JSON.parse(await readFile(file, 'utf8')) as { manifest: Manifest }).manifest);
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  await writeFile(file, JSON.stringify({ sha256, manifest }));
}

describe('a restore', () => {
  const contactsFile = 'public.contacts.zst';
  const damages: Record<string, readonly [(own: string) => Promise<unknown>, RegExp]> = {
    'has no manifest': [(own) => rm(path.join(own, 'manifest.json')), /not a complete backup/],
    'has half a manifest': [(own) => truncate(path.join(own, 'manifest.json'), 300), /damaged: its manifest/],
    'has a manifest that was changed': [
      async (own) => {
        const file = path.join(own, 'manifest.json');
        await writeFile(file, (await readFile(file, 'utf8')).replace('"rows": 2', '"rows": 3'));
      },
      /damaged: its manifest/,
    ],
    'lacks a file': [(own) => rm(path.join(own, contactsFile)), /contacts.zst is missing/],
    'has a file that was cut off': [(own) => truncate(path.join(own, contactsFile), 1000), /has 1000 bytes instead of/],
    'has a file with a changed byte': [
      async (own) => {
        const file = path.join(own, contactsFile);
        const content = await readFile(file);
        content[content.length >> 1]! ^= 1;
        await writeFile(file, content);
      },
      /contacts.zst (cannot be read|does not have the content)/,
    ],
    'has fewer rows than it says': [
      (own) =>
        editManifest(own, (manifest) => ({
          ...manifest,
          tables: manifest.tables.map((table) =>
            table.name === 'contacts' ? { ...table, rows: table.rows + 1 } : table,
          ),
        })),
      /rows instead of/,
    ],
    'contains injected SQL': [
      (own) =>
        editManifest(own, (manifest) => ({
          ...manifest,
          tables: manifest.tables.map((table) =>
            table.partition === null
              ? table
              : { ...table, partition: { ...table.partition, bound: 'DEFAULT; drop table contacts' } },
          ),
        })),
      /does not know/,
    ],
    'names a file outside its directory': [
      (own) =>
        editManifest(own, (manifest) => ({
          ...manifest,
          tables: manifest.tables.map((table) =>
            table.file === null ? table : { ...table, file: { ...table.file, key: '../../etc/passwd' } },
          ),
        })),
      /does not know/,
    ],
  };
  test.each(Object.entries(damages))(
    'a restore refuses a backup that %s, and leaves the database empty',
    async (name, [damage, message]) => {
      const own = await copyOfBackup(name);
      await damage(own);
      await using target = await createEmptyDatabase();
      await expect(restoreFrom(own, target.url)).rejects.toThrow(message);
      expect(await isEmpty(target.url)).toBe(true);
    },
  );

  test('a restore refuses a database that is not empty', async () => {
    await using context = await createTestContext();
    const before = await fingerprint(context.config.databaseUrl!);
    await expect(restoreFrom(whole, context.config.databaseUrl!)).rejects.toThrow('The database is not empty');
    expect(await fingerprint(context.config.databaseUrl!)).toEqual(before);
  });

  test('an aborted restore leaves the database empty, and an aborted backup leaves no manifest', async () => {
    const own = path.join(directory, 'aborted');
    await expect(backUp(source, own, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(await readdir(own).catch(() => [])).not.toContain('manifest.json');
    await using target = await createEmptyDatabase();
    const controller = new AbortController();
    const restoring = restoreFrom(whole, target.url, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(restoring).rejects.toThrow('enough');
    expect(await isEmpty(target.url)).toBe(true);
    await restoreFrom(whole, target.url);
    expect(await fingerprint(target.url)).toEqual(content);
  });
});

test('a backup of a database whose tables are not in the schema public fails, and is not empty', async () => {
  await using context = await createTestContext();
  const url = context.config.databaseUrl!;
  await using directory = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-backup-'));
  const name = new URL(url).pathname.slice(1);
  await query(url, `alter schema public rename to app; alter database ${name} set search_path = app`);
  await expect(backUp(url, directory.path)).rejects.toThrow('The database has no tables of Roster');
  expect(await readdir(directory.path)).toEqual([]);
});

test('only the owner can read the files of a backup', async () => {
  for (const name of await readdir(whole)) expect((await stat(path.join(whole, name))).mode & 0o077, name).toBe(0);
});
