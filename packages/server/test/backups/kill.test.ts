import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listBackups } from '#features/backups/store/find-backup.ts';
import { readConfig } from '#platform/config/config.ts';
import { createTestContext } from '../support/context.ts';
import { backUp, createEmptyDatabase, fingerprint, program, query, restoreFrom } from './support.ts';
import { forFile } from '../support/for-file.ts';

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-backup-')));
const context = await forFile(createTestContext());
const source = context.config.databaseUrl!;
await query(
  source,
  `insert into accounts (name, created_at, updated_at) values ('One', now(), now());
     insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, created_at, updated_at)
       select 1, n, n || '@example.com', 'identified', jsonb_build_object('1.1', md5(n::text), '1.2', md5((n + 1)::text)), now(), now() from generate_series(1, 60000) n;
     insert into audit_log (account_id, occurred_at, actor, action, subject) select 1, now(), 'test', 'test', md5(n::text) from generate_series(1, 30000) n`,
);
const content = await fingerprint(source);

function start(args: readonly string[], databaseUrl: string): ChildProcess {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Kills a process when a condition holds, or waits until it exits. Returns whether it was killed.
 */
async function killWhen(child: ChildProcess, condition: () => Promise<boolean>): Promise<boolean> {
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  while (child.exitCode === null && !(await condition())) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill('SIGKILL');
  return (await ended)[1] === 'SIGKILL';
}

const filesIn = async (place: string): Promise<string[]> => readdir(place, { recursive: true }).catch(() => []);

const points: Record<string, (files: readonly string[]) => boolean> = {
  'after it created its directory': (files) => files.length > 0,
  'while it writes the first table': (files) => files.some((file) => file.endsWith('.part')),
  'while it writes the contacts': (files) => files.some((file) => file.endsWith('public.contacts.zst.part')),
  'after it wrote the contacts': (files) => files.some((file) => file.endsWith('public.contacts.zst')),
  'while it writes the manifest': (files) => files.some((file) => /manifest\.json(\.part)?$/.test(file)),
};

test.each(Object.entries(points))(
  'a backup that is killed %s is either complete or recognised as incomplete',
  async (point, reached) => {
    const place = path.join(directory, point.replaceAll(' ', '-'));
    const child = start(['backup', '--to', place], source);
    await killWhen(child, async () => reached(await filesIn(place)));
    const [name] = await readdir(place);
    const isComplete = (await listBackups(place, readConfig({}))).some((one) => one.isComplete);
    await using target = await createEmptyDatabase();
    const own = path.join(place, name!);
    const restoring = restoreFrom(own, target.url);
    if (isComplete) {
      await restoring;
      expect(await fingerprint(target.url)).toEqual(content);
    } else await expect(restoring).rejects.toThrow('not a complete backup');
    // The killed backup leaves no running session that could disturb the next one.
    const [left] = await query(
      source,
      `select count(*)::int as sessions from pg_stat_activity where application_name = 'roster backup' and state = 'active' and datname = current_database()`,
    );
    expect(left!['sessions']).toBeLessThanOrEqual(1);
  },
);

test.each(['creates the schema', 'copies the contacts', 'creates the indexes'])(
  'a restore that is killed while it %s leaves the database empty, and can be repeated',
  async (point) => {
    const own = path.join(directory, `of-${point.replaceAll(' ', '-')}`);
    await backUp(source, own);
    await using target = await createEmptyDatabase();
    const statements: Record<string, string> = {
      'creates the schema': `application_name = 'roster restore' and query <> ''`,
      'copies the contacts': `application_name = 'roster restore' and query like 'copy "public"."contacts"%'`,
      'creates the indexes': `application_name = 'roster restore' and query ilike 'create index contacts_%'`,
    };
    const child = start(['restore', '--from', own], target.url);
    const wasKilled = await killWhen(child, async () => {
      const rows = await query(
        target.url,
        `select from pg_stat_activity where datname = current_database() and ${statements[point]}`,
      );
      return rows.length > 0;
    });
    expect(wasKilled).toBe(true);
    // PostgreSQL rolls the transaction back as soon as it notices the lost connection.
    await query(
      target.url,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const tables = await query(
      target.url,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    expect(tables).toEqual([]);
    await restoreFrom(own, target.url);
    expect(await fingerprint(target.url)).toEqual(content);
  },
);
