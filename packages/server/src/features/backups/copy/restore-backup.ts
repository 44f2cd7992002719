import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Logger } from 'pino';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { databaseOn, openPool } from '#platform/database/connection/database.ts';
import { migrateToLatest, migrateWithin } from '#platform/database/schema/migrate.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { findFoldingFault } from '#platform/database/schema/text-folding.ts';
import { jobSchema, migrateJobs } from '#platform/database/schema/job-schema.ts';
import { BackupError } from '../store/backup-error.ts';
import { backedUpSchemas, byReference, listSequences, listTables } from './catalogue.ts';
import { damaged, type CheckedBackup, type CheckOptions } from './check-backup.ts';
import type { Manifest, StoredTable } from '../store/manifest.ts';
import { Checksum } from '../store/store-files.ts';

/** What a restore reads, and where it writes. */
export interface RestoreOptions extends CheckOptions {
  /** The database to restore into; it must be empty. */
  readonly databaseUrl: string;
  readonly backup: CheckedBackup;
  readonly log: Logger;
}

/** Rows from which on the indexes of a table are made after its rows: three times as fast. */
const manyRows = 20_000;

/**
 * Restores a backup into an empty database: the schema at its time, the rows, the sequences; then the newest schema.
 *
 * Everything up to the newest schema is one transaction, and it is committed only when each file had its checksum and each table its number of
 * rows. So a restore that fails or is killed leaves the database as empty as it was. Throws a {@link BackupError} for a database that is not
 * empty, and for a backup that was changed since it was checked.
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { databaseUrl, backup, log, signal } = options;
  const { manifest } = backup;
  const client = await openConnection(databaseUrl, 'roster restore');
  const abort = (): void => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await client.query(`set timezone = 'UTC'; set statement_timeout = 0; set lock_timeout = '10s'`);
    await requireEmpty(client);
    const folding = await findFoldingFault(databaseOn(client));
    if (folding !== undefined) throw new BackupError(`${folding.message} ${folding.advice}`);
    await makeJobSchema(databaseUrl, log);
    await client.query('begin');
    // Two restores into one database: the second one finds it filled, or its schema made.
    await client.query('select pg_advisory_xact_lock($1::bigint)', [advisoryLocks.restore]);
    await requireEmpty(client);
    await migrateWithin(databaseOn(client), manifest.migrations.at(-1)!);
    await fill(client, manifest, options);
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

/** Throws a {@link BackupError} for a database that a backup cannot be restored into: before its files are read for minutes. */
export async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const client = await openConnection(databaseUrl, 'roster restore');
  try {
    await requireEmpty(client);
  } finally {
    await client.end();
  }
}

/** Throws a {@link BackupError} unless the database has no tables of its own and no jobs. */
async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p', 'S', 'v', 'm', 'f')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname limit 1`,
  );
  if (rows.length > 0) {
    throw new BackupError(
      `The database is not empty: it has the table ${rows[0]!.name}. A restore goes into an empty database only: ` +
        'make a new one, or name another data directory with ROSTER_DATA_DIR.',
    );
  }
  const { rows: jobs } = await client.query<{ found: boolean }>(
    `select to_regclass('${jobSchema}._private_jobs') is not null as found`,
  );
  if (!jobs[0]!.found) return;
  const { rows: some } = await client.query(`select from ${jobSchema}._private_jobs limit 1`);
  if (some.length > 0)
    throw new BackupError(`The database is not empty: its schema ${jobSchema} has jobs. Make a new database.`);
}

async function makeJobSchema(databaseUrl: string, log: Logger): Promise<void> {
  const pool = openPool({ url: databaseUrl, name: 'roster restore jobs', size: 2, log });
  try {
    await migrateJobs(pool, log);
  } finally {
    await pool.end();
  }
}

/** Fills the fresh schema with the rows of a backup, and checks that all of them are there. */
async function fill(client: pg.Client, manifest: Manifest, options: RestoreOptions): Promise<void> {
  const nameOf = ({ schema, name }: { schema: string; name: string }): string =>
    `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
  const progress = progressOf(manifest, options);
  const existing = new Set((await listTables(client)).map(nameOf));
  // Partitions are filled first and attached afterwards: that makes their indexes, and checks that the rows belong there.
  const attached: string[] = [];
  for (const table of manifest.tables) {
    if (existing.has(nameOf(table))) continue;
    const { schema, name, partition } = table;
    if (!(backedUpSchemas as readonly string[]).includes(schema) || partition === null) {
      throw new BackupError(
        `The backup has the table ${schema}.${name}, which is not of Roster. Nothing was restored.`,
      );
    }
    const parent = nameOf({ schema, name: partition.of });
    await client.query(
      `create table ${nameOf(table)} (like ${parent} including defaults including constraints including storage)`,
    );
    attached.push(`alter table ${parent} attach partition ${nameOf(table)} ${partition.bound}`);
  }
  if (manifest.tables.length > 0) await client.query(`truncate ${manifest.tables.map(nameOf).join(', ')}`);
  for (const table of await byReference(client, manifest.tables)) {
    const indexes = table.rows >= manyRows ? await takeIndexes(client, nameOf(table)) : [];
    await readTable(client, nameOf(table), table, options.backup, progress);
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
}

function progressOf(manifest: Manifest, { onProgress }: RestoreOptions): (bytes: number) => void {
  const total = manifest.tables.reduce((all, { file }) => all + (file?.bytes ?? 0), 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress?.(done, total);
  };
}

/** Drops the indexes of a table that serve no constraint and no partition, and returns the statements that make them again. */
async function takeIndexes(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ own: string; definition: string }>(
    `select format('%I.%I', n.nspname, c.relname) as own, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where i.indrelid = $1::regclass and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
    [table],
  );
  for (const { own } of rows) await client.query(`drop index ${own}`);
  return rows.map(({ definition }) => definition);
}

/** Reads the file of a table into the table. */
async function readTable(
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
        `The backup has the sequence ${schema}.${name}, which is not of Roster. Nothing was restored.`,
      );
    }
    const own = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
    await client.query('select setval($1::regclass, $2::bigint, $3)', [own, last_value, is_called]);
  }
}

/** Searches need statistics. Without them they are slow and not wrong, so a failure is only logged. */
async function gatherStatistics(databaseUrl: string, log: Logger): Promise<void> {
  const pool = openPool({ url: databaseUrl, name: 'roster restore', size: 1, log });
  try {
    await pool.query('vacuum (analyze)');
  } catch (error) {
    log.warn(
      { err: { message: error instanceof Error ? error.message : String(error) } },
      'the statistics could not be gathered; autovacuum will do it',
    );
  } finally {
    await pool.end();
  }
}
