import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import pino from 'pino';
import { inject } from 'vitest';
import { backupName } from '#features/backups/store/backup-name.ts';
import { checkBackup } from '#features/backups/copy/check-backup.ts';
import { restoreBackup, type RestoreOptions } from '#features/backups/copy/restore-backup.ts';
import { writeBackup, type WrittenBackup } from '#features/backups/copy/write-backup.ts';
import { localFileStore } from '#platform/files/local-file-store.ts';
import type { CommandResult } from '../cli/in-process.ts';
import type { TestDatabase } from '../support/database.ts';

/** The installation that the backups of the tests belong to. */
const installationId = '01234567-89ab-7def-8123-456789abcdef';

/** Creates an empty database on the server of the tests. Disposing it drops it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `roster_test_${randomBytes(6).toString('hex')}`;
  const admin = new URL(inject('templateUrl'));
  const url = new URL(admin);
  admin.pathname = '/postgres';
  url.pathname = `/${name}`;
  await query(admin.href, `create database ${name} template template0 strategy file_copy`);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => void (await query(admin.href, `drop database if exists ${name} with (force)`)),
  };
}

/** Runs SQL on a new connection. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Writes a backup of a database into a directory. */
export function backUp(databaseUrl: string, directory: string, signal?: AbortSignal): Promise<WrittenBackup> {
  const startedAt = new Date();
  return writeBackup({
    databaseUrl,
    store: localFileStore(directory),
    name: backupName(installationId, startedAt),
    installationId,
    now: () => new Date(),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Checks the backup in a directory and restores it into a database. */
export async function restoreFrom(
  directory: string,
  databaseUrl: string,
  options: Pick<RestoreOptions, 'signal' | 'onProgress'> = {},
): Promise<void> {
  const backup = await checkBackup(localFileStore(directory), directory);
  await restoreBackup({ databaseUrl, backup, log: pino({ level: 'silent' }), ...options });
}

/** The program of the command line. */
export const program = path.join(import.meta.dirname, '../../src/app/bin/roster.ts');

/** Runs the command line in a separate process, with extra environment variables. */
export async function roster(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}

/** A hash of the rows of each table that a backup contains, and the state of each sequence. */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'`);
    const { rows: relations } = await client.query<{ own: string; relkind: string }>(
      `select format('%I.%I', n.nspname, c.relname) as own, relkind::text
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'roster_jobs') and c.relkind in ('r', 'S')
         and c.relname not in ('kysely_migration', 'kysely_migration_lock', 'installation', 'backup_runs', 'migrations',
           'sessions', 'sign_in_steps', 'sign_in_limits', 'password_resets', 'set_up_links')
       order by 1`,
    );
    const found: Record<string, string> = {};
    for (const { own, relkind } of relations) {
      const content =
        relkind === 'S'
          ? `select last_value || ' ' || is_called as content from ${own}`
          : `select count(*) || ' ' || coalesce(md5(string_agg(t::text, e'\\n' order by t::text collate "C")), '') as content from ${own} t`;
      const { rows } = await client.query<{ content: string }>(content);
      found[own] = rows[0]!.content;
    }
    return found;
  } finally {
    await client.end();
  }
}
