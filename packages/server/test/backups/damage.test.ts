import { chmod, cp, mkdtempDisposable, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { quick, silent } from '../../../embedded-postgres/test/support.ts';
import { createTestContext, testLayout } from '../support/context.ts';
import { backUp, createEmptyDatabase, fingerprint, query, roster } from './support.ts';
import { forFile } from '../support/for-file.ts';

const contacts = 'public.contacts.zst';

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-backup-')));
const context = await forFile(createTestContext());
// PostgreSQL may run as another user.
await chmod(directory, 0o711);
/** A later backup of the same database. */
const [whole, later] = [path.join(directory, 'whole'), path.join(directory, 'later')];
const url = context.config.databaseUrl!;
await query(
  url,
  `insert into accounts (name, created_at, updated_at) values ('One', now(), now());
     insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, created_at, updated_at)
       select 1, n, n || '@example.com', 'identified', jsonb_build_object('1.1', md5(n::text)), now(), now() from generate_series(1, 30000) n`,
);
await backUp(url, whole);
const content = await fingerprint(url);
await query(url, `update contacts set attributes = ('{"1.1": "' || md5(contact_key) || '"}')::jsonb`);
await backUp(url, later);

const damages: Record<string, readonly [(own: string) => Promise<unknown>, RegExp]> = {
  'a file whose bytes were changed in the middle': [
    async (own) => {
      const file = path.join(own, contacts);
      const bytes = await readFile(file);
      bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 100);
      await writeFile(file, bytes);
    },
    /is damaged: public.contacts.zst does not have the content that was written/,
  ],
  'a manifest that was cut off': [
    (own) => truncate(path.join(own, 'manifest.json'), 300),
    /is damaged: its manifest.json does not have the content that was written/,
  ],
  'a file that is missing': [(own) => rm(path.join(own, contacts)), /is damaged: public.contacts.zst is missing/],
  'the file of another backup, with the right size': [
    async (own) => {
      await cp(path.join(later, contacts), path.join(own, contacts));
      const { size } = await stat(path.join(whole, contacts));
      await truncate(path.join(own, contacts), size);
    },
    /is damaged: public.contacts.zst does not have the content that was written/,
  ],
};

describe.each(Object.entries(damages))('a backup with %s', (name, [damage, message]) => {
  test('a damaged backup is refused by the command line, which exits and touches no database', async () => {
    const own = path.join(directory, name.replaceAll(/\W+/g, '-'));
    await cp(whole, own, { recursive: true });
    await damage(own);
    await using target = await createEmptyDatabase();
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(message) };
    expect(await roster(['restore', '--from', own], { DATABASE_URL: target.url })).toEqual(refused);
    const left = `select relname from pg_class where relnamespace in (select oid from pg_namespace where nspname in ('public', 'roster_jobs'))`;
    expect(await query(target.url, left)).toEqual([]);
    const dataDir = path.join(directory, 'data');
    expect(await roster(['restore', '--from', own], { ROSTER_DATA_DIR: dataDir })).toEqual(refused);
    expect(await readdir(directory)).not.toContain('data');
  });
});

test('a database that is not empty is refused before the files of the backup are read', async () => {
  const torn = path.join(directory, 'unread');
  await cp(whole, torn, { recursive: true });
  await rm(path.join(torn, contacts));
  const ended = await roster(['restore', '--from', torn], { DATABASE_URL: context.config.databaseUrl!, ...testLayout });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('The database is not empty') });
});

test('a refused restore can be repeated with a good backup', async () => {
  const torn = path.join(directory, 'torn');
  const dataDir = path.join(directory, 'repeated');
  await cp(whole, torn, { recursive: true });
  await truncate(path.join(torn, contacts), 1000);
  await using target = await createEmptyDatabase();
  for (const env of [{ DATABASE_URL: target.url }, { ROSTER_DATA_DIR: dataDir }] as const) {
    expect(await roster(['restore', '--from', torn], env)).toMatchObject({ code: 1 });
    expect(await roster(['restore', '--from', whole], env)).toMatchObject({ code: 0 });
  }
  expect(await fingerprint(target.url)).toEqual(content);
  await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
  expect(await fingerprint(server.url)).toEqual(content);
}, 180_000);
