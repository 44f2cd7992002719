import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Logger } from 'pino';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { databaseOn, openPool } from '#platform/database/connection/database.ts';
import { migrateToLatest, migrateWithin } from '#platform/database/schema/migrate.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { findRightsFault } from '#platform/database/schema/schema-rights.ts';
import { findFoldingFault } from '#platform/database/schema/text-folding.ts';
import { jobSchema, migrateJobs } from '#platform/database/schema/job-schema.ts';
import { BackupError } from '../store/backup-error.ts';
import { backedUpSchemas, listSequences, listTables, sortByReference } from './catalogue.ts';
import { endSignIns } from './sign-in-tables.ts';
import { damaged, type CheckedBackup, type CheckOptions } from './check-backup.ts';
import type { Manifest, StoredTable } from '../store/manifest.ts';
import { Checksum } from '../store/store-files.ts';

/** The options of {@link restoreBackup}. */
export interface RestoreOptions extends CheckOptions {
  /** The database to restore into. It must be empty. */
  readonly databaseUrl: string;
  readonly backup: CheckedBackup;
  readonly log: Logger;
}

/** From this number of rows on, indexes are created after the rows. That is three times as fast. */
const manyRows = 20_000;

/**
 * Restores a backup into an empty database: the schema of the backup, the rows, and the sequences.
 * Then migrates to the newest schema.
 *
 * Everything before the migration is one transaction. It commits only if each file has its checksum
 * and each table its number of rows. So a restore that fails or is killed leaves an empty database.
 *
 * Throws a {@link BackupError} if the database is not empty, or the backup has changed.
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { databaseUrl, backup, log, signal } = options;
  const { manifest } = backup;
  const client = await openConnection(databaseUrl, 'roster restore');
  const abort = (): void => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await client.query("set lock_timeout = '10s'");
    await requireEmpty(client);
    const found = (await findRightsFault(databaseOn(client))) ?? (await findFoldingFault(databaseOn(client)));
    if (found !== undefined) throw new BackupError(`${found.message} ${found.advice}`);
    await makeJobSchema(databaseUrl, log);
    await client.query('begin');
    // If two restores use one database, the second one waits here. Then it finds the tables and
    // fails.
    await client.query('select pg_advisory_xact_lock($1::bigint)', [advisoryLocks.restore]);
    await requireEmpty(client);
    await migrateWithin(databaseOn(client), manifest.migrations.at(-1)!);
    await restoreRows(client, manifest, options);
    await client.query('commit');
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    await client.end().catch(() => undefined);
  }
  await migrateToLatest(databaseUrl, log);
  await gatherStatistics(databaseUrl, log);
}

/**
 * Throws a {@link BackupError} unless a database is empty. Call it before the check of a backup.
 */
export async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const client = await openConnection(databaseUrl, 'roster restore');
  try {
    await requireEmpty(client);
  } finally {
    await client.end();
  }
}

/**
 * Throws a {@link BackupError} if the database has tables or jobs. Ignores tables of extensions.
 */
async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'S', 'v', 'm', 'f')
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname limit 1`,
  );
  if (rows.length > 0) {
    throw new BackupError(
      `The database is not empty: it has the table ${rows[0]!.name}. A restore needs an empty database. ` +
        'Create a new database, or set ROSTER_DATA_DIR to another data directory.',
    );
  }
  const { rows: jobs } = await client.query<{ found: boolean }>(
    `select to_regclass('${jobSchema}._private_jobs') is not null as found`,
  );
  if (!jobs[0]!.found) return;
  const { rows: some } = await client.query(`select 1 from ${jobSchema}._private_jobs limit 1`);
  if (some.length > 0)
    throw new BackupError(`The database is not empty: its schema ${jobSchema} has jobs. Create a new database.`);
}

async function makeJobSchema(databaseUrl: string, log: Logger): Promise<void> {
  const pool = openPool({ url: databaseUrl, name: 'roster restore jobs', size: 2, log });
  try {
    await migrateJobs(pool, log);
  } finally {
    await pool.end();
  }
}

/** Fills the new schema with the rows of a backup, and counts them. */
async function restoreRows(client: pg.Client, manifest: Manifest, options: RestoreOptions): Promise<void> {
  const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
    `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
  const progress = progressOf(manifest, options);
  const existing = new Set((await listTables(client)).map(nameOf));
  // Partitions are filled, then attached. Attaching creates their indexes and checks their rows.
  const attached: string[] = [];
  for (const table of manifest.tables) {
    if (existing.has(nameOf(table))) continue;
    const { schema, name, partition } = table;
    if (!(backedUpSchemas as readonly string[]).includes(schema) || partition === null) {
      throw new BackupError(
        `The backup has the table ${schema}.${name}, which does not belong to Roster. Nothing was restored.`,
      );
    }
    const parent = nameOf({ schema, name: partition.of });
    await client.query(
      `create table ${nameOf(table)} (like ${parent} including defaults including constraints including storage)`,
    );
    attached.push(`alter table ${parent} attach partition ${nameOf(table)} ${partition.bound}`);
  }
  // The tables are new and empty. `cascade` names those that the backup does not contain.
  if (manifest.tables.length > 0) await client.query(`truncate ${manifest.tables.map(nameOf).join(', ')} cascade`);
  for (const table of await sortByReference(client, manifest.tables)) {
    const indexes = table.rows >= manyRows ? await dropIndexes(client, nameOf(table)) : [];
    await copyTable(client, nameOf(table), table, options.backup, progress);
    for (const definition of indexes) await client.query(definition);
  }
  for (const statement of attached) await client.query(statement);
  await setSequences(client, manifest);
  for (const table of manifest.tables) {
    const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from only ${nameOf(table)}`);
    if (Number(rows[0]!.rows) !== table.rows) {
      throw new BackupError(
        `${table.name} has ${rows[0]!.rows} rows after the restore instead of ${table.rows}. Nothing was restored.`,
      );
    }
  }
  await endSignIns(client);
}

function progressOf(manifest: Manifest, { onProgress }: RestoreOptions): (bytes: number) => void {
  const total = manifest.tables.reduce((all, { file }) => all + (file?.bytes ?? 0), 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress?.(done, total);
  };
}

/**
 * Drops indexes of a table, except those of constraints and partitions. Returns their definitions.
 */
async function dropIndexes(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ own: string; definition: string }>(
    `select format('%I.%I', n.nspname, c.relname) as own, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where i.indrelid = $1::regclass and not c.relispartition
       and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`,
    [table],
  );
  for (const { own } of rows) await client.query(`drop index ${own}`);
  return rows.map(({ definition }) => definition);
}

/** Copies the file of a table into the table. */
async function copyTable(
  client: pg.Client,
  own: string,
  { columns, rows, file }: StoredTable,
  { store, shown }: CheckedBackup,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (file === null) return;
  const source = await store.read(file.key);
  if (source === undefined) throw damaged(shown, file.key, 'is missing');
  const checksum = new Checksum(onBytes);
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const copy = client.query(copyFrom(`copy ${own} (${list}) from stdin with (format binary, freeze)`));
  copy.on('error', () => undefined);
  await pipeline(source, checksum, createZstdDecompress(), copy);
  if (checksum.digest() !== file.sha256) throw damaged(shown, file.key, 'does not have the content that was written');
  if (copy.rowCount !== rows) throw damaged(shown, file.key, `has ${copy.rowCount} rows instead of ${rows}`);
}

async function setSequences(client: pg.Client, manifest: Manifest): Promise<void> {
  const existing = new Set((await listSequences(client)).map(({ schema, name }) => `${schema}.${name}`));
  for (const { schema, name, last_value, is_called } of manifest.sequences) {
    if (!existing.has(`${schema}.${name}`)) {
      throw new BackupError(
        `The backup has the sequence ${schema}.${name}, which does not belong to Roster. Nothing was restored.`,
      );
    }
    const own = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
    await client.query('select setval($1::regclass, $2::bigint, $3)', [own, last_value, is_called]);
  }
}

/** Gathers the statistics that make searches fast. A failure is only logged. */
async function gatherStatistics(databaseUrl: string, log: Logger): Promise<void> {
  const pool = openPool({ url: databaseUrl, name: 'roster restore', size: 1, log });
  try {
    await pool.query('vacuum (analyze)');
  } catch (error) {
    log.warn(
      { err: { message: error instanceof Error ? error.message : String(error) } },
      'could not gather statistics; autovacuum will do it',
    );
  } finally {
    await pool.end();
  }
}
