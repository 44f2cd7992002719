import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import packageFile from '../../../../package.json' with { type: 'json' };
import { migrationNames } from '#platform/database/schema/migrate.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import { BackupError } from '../store/backup-error.ts';
import { listSequences, listTables, type CatalogueTable } from './catalogue.ts';
import { manifestFormat, writeDatabaseManifest, type Manifest, type StoredTable } from '../store/manifest.ts';
import { Checksum, compressFile } from '../store/store-files.ts';

/** What a backup is made from, and where it goes. */
export interface BackupOptions {
  readonly databaseUrl: string;
  /** The empty place of this one backup. */
  readonly store: FileStore;
  readonly name: string;
  readonly installationId: string;
  readonly now: () => Date;
  /** Told how many bytes of rows were read so far, and the estimate of how many there are. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** What was written. */
export interface WrittenBackup {
  readonly manifest: Manifest;
  readonly rows: number;
  /** Bytes of all files but the manifest. */
  readonly bytes: number;
}

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01';

/**
 * Writes one moment of the database into an empty place: a compressed file for each table, then the manifest that makes it a backup.
 *
 * All tables are read in one transaction that sees one moment. Each table is locked only while it is read, so that
 * partitions can be made and dropped meanwhile. Whatever interrupts it leaves files without a manifest, which no restore takes.
 * Aborting `signal` ends it with the reason of the signal.
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { databaseUrl, store, signal } = options;
  const client = await openConnection(databaseUrl, 'roster backup');
  // The server notices a closed connection when it next sends something, which it does all the time.
  const abort = (): void => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await client.query(`set timezone = 'UTC'; set statement_timeout = 0; set lock_timeout = '1min'`);
    await client.query('begin isolation level repeatable read read only');
    const startedAt = options.now();
    // This statement takes the snapshot.
    const { rows: moments } = await client.query<{ taken_at: string; version: string }>(
      `select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at, current_setting('server_version') as version`,
    );
    const { taken_at: takenAt, version } = moments[0]!;
    const level = await readLevel(client);
    const found = await listTables(client);
    const progress = progressOf(found, options);
    const tables: StoredTable[] = [];
    for (const table of found) {
      const stored = await writeTable(client, store, table, progress);
      if (stored !== undefined) tables.push(stored);
    }
    // After the rows: every number that a row has was given out by now.
    const sequences = await listSequences(client);
    await client.query('commit');
    const manifest: Manifest = {
      format: manifestFormat,
      kind: 'database',
      name: options.name,
      roster_version: packageFile.version,
      installation_id: options.installationId,
      postgres_version: version,
      taken_at: takenAt,
      started_at: startedAt.toISOString(),
      finished_at: options.now().toISOString(),
      ...level,
      tables,
      sequences,
    };
    signal?.throwIfAborted();
    await writeDatabaseManifest(store, manifest);
    const sum = (of: (table: StoredTable) => number): number => tables.reduce((all, table) => all + of(table), 0);
    return { manifest, rows: sum(({ rows }) => rows), bytes: sum(({ file }) => file?.bytes ?? 0) };
  } catch (error) {
    // What fails after an abort fails because of it.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    await client.end().catch(() => undefined);
  }
}

/** Reads which migrations the database has, of Roster and of the library that runs its jobs. Throws a {@link BackupError} for a schema that this version does not know. */
async function readLevel(client: pg.ClientBase): Promise<Pick<Manifest, 'migrations' | 'job_schema_version'>> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null and to_regclass('${jobSchema}.migrations') is not null as found`,
  );
  if (!tables[0]!.found) throw new BackupError('The database has no schema of Roster, so there is nothing to back up.');
  const { rows: applied } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const known = await migrationNames();
  const unknown = applied.find(({ name }, index) => known[index] !== name);
  if (unknown !== undefined) {
    throw new BackupError(
      `The database has the migration ${unknown.name}, which this version of Roster does not know. Back it up with the version that runs the service.`,
    );
  }
  const { rows: jobs } = await client.query<{ version: number }>(
    `select max(id)::int as version from ${jobSchema}.migrations`,
  );
  return { migrations: applied.map(({ name }) => name), job_schema_version: jobs[0]!.version };
}

function progressOf(tables: readonly CatalogueTable[], { onProgress }: BackupOptions): (bytes: number) => void {
  const total = tables.reduce((all, { bytes }) => all + bytes, 0);
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress?.(done, Math.max(done, total));
  };
}

/** Writes the rows of a table as a file; undefined when the table was dropped since the snapshot: a partition of rows whose time is over. */
async function writeTable(
  client: pg.Client,
  store: FileStore,
  table: CatalogueTable,
  onBytes: (bytes: number) => void,
): Promise<StoredTable | undefined> {
  const { schema, name, partition, columns } = table;
  const own = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
  const key = `${schema}.${name}.zst`;
  const stored = { schema, name, partition, columns: [...columns] };
  // Rolling back to the savepoint releases the lock on the table; the snapshot stays.
  await client.query('savepoint one_table');
  try {
    const { rows: some } = await client.query(`select from ${own} limit 1`);
    if (some.length === 0) {
      await client.query('rollback to savepoint one_table');
      return { ...stored, rows: 0, file: null };
    }
    const compress = compressFile();
    let counted = 0;
    const file = new Checksum(() => {
      onBytes(compress.bytesWritten - counted);
      counted = compress.bytesWritten;
    });
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const copied = client.query(copyTo(`copy ${own} (${list}) to stdout with (format binary)`));
    // Whoever reads the rows sees their errors; without a listener, one of a file that cannot be made would end the process.
    copied.on('error', () => undefined);
    const bytes = await store.write(key, {
      contentType: 'application/zstd',
      fill: (sink) => pipeline(copied, compress, file, sink),
      onBegin: async () => undefined,
    });
    await client.query('rollback to savepoint one_table');
    // The count comes after the last row; the statement before has waited for it.
    const { rowCount } = copied as unknown as { rowCount: number };
    if (bytes !== file.bytes) throw new Error(`${key} has ${bytes} bytes, but ${file.bytes} were written`);
    return { ...stored, rows: rowCount, file: { key, bytes, sha256: file.digest() } };
  } catch (error) {
    if (partition === null || systemErrorCode(error) !== undefinedTable) throw error;
    await client.query('rollback to savepoint one_table');
    return undefined;
  }
}
