import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import packageFile from '../../../../package.json' with { type: 'json' };
import { migrationNames } from '#platform/database/schema/migrate.ts';
import { beginWholeSnapshot } from '#platform/database/layout/whole-snapshot.ts';
import { isMissingTable } from '#platform/database/connection/database.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import { BackupError } from '../store/backup-error.ts';
import { listSequences, listTables, type CatalogueTable } from './catalogue.ts';
import { manifestFormat, writeDatabaseManifest, type Manifest, type StoredTable } from '../store/manifest.ts';
import { Checksum, compressFile } from '../store/store-files.ts';

/** The options of {@link writeBackup}. */
export interface BackupOptions {
  readonly databaseUrl: string;
  /** The empty place for this backup. */
  readonly store: FileStore;
  readonly name: string;
  readonly installationId: string;
  readonly now: () => Date;
  /** Called with the bytes of rows that were read so far, and the estimated total. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** A backup that was written. */
export interface WrittenBackup {
  readonly manifest: Manifest;
  readonly rows: number;
  /** Size of all files except the manifest. */
  readonly bytes: number;
}

/**
 * Writes a snapshot of the database into an empty place: a compressed file for each table, then the
 * manifest that makes the backup complete.
 *
 * One transaction reads all tables. It locks each table only while it reads the table, so that
 * partitions can be created and dropped during a backup. An interrupted backup has no manifest, and
 * cannot be restored. Throws the reason of `signal` when it is aborted.
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { databaseUrl, store, signal } = options;
  const client = await openConnection(databaseUrl, 'roster backup');
  // Closing the connection is enough: the server notices it with the next rows that it sends.
  const abort = (): void => void client.end().catch(() => undefined);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    await client.query("set lock_timeout = '1min'");
    const startedAt = options.now();
    await beginWholeSnapshot(client, databaseUrl);
    // On a single server, this statement takes the snapshot.
    const { rows: moments } = await client.query<{ taken_at: string; version: string }>(
      `select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at, current_setting('server_version') as version`,
    );
    const { taken_at: takenAt, version } = moments[0]!;
    const level = await readSchemaVersions(client);
    const found = await listTables(client);
    const progress = progressOf(found, options);
    const tables: StoredTable[] = [];
    for (const table of found) {
      const stored = await writeTable(client, store, table, progress);
      if (stored !== undefined) tables.push(stored);
    }
    // Read sequences after rows. Otherwise a sequence could return the id of a stored row again.
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
    // Other errors after an abort are caused by the abort.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    await client.end().catch(() => undefined);
  }
}

/**
 * Reads the migrations of the database: those of Roster and of its job library. Throws a
 * {@link BackupError} for a schema that this version does not know.
 */
async function readSchemaVersions(client: pg.ClientBase): Promise<Pick<Manifest, 'migrations' | 'job_schema_version'>> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null and to_regclass('${jobSchema}.migrations') is not null as found`,
  );
  if (!tables[0]!.found) throw new BackupError('The database has no tables of Roster, so there is nothing to back up.');
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

/**
 * Writes the rows of a table as a file. Returns undefined for an old partition that was dropped.
 */
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
  // Rolling back to the savepoint releases the lock on the table, but keeps the snapshot.
  await client.query('savepoint one_table');
  try {
    const { rows: some } = await client.query(`select 1 from ${own} limit 1`);
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
    // `pipeline` handles errors. If the file cannot be created, it never runs, and an error without
    // a listener would end the process.
    copied.on('error', () => undefined);
    const bytes = await store.write(key, {
      contentType: 'application/zstd',
      fill: (sink) => pipeline(copied, compress, file, sink),
      onBegin: async () => undefined,
    });
    await client.query('rollback to savepoint one_table');
    // The server sends the count after the last row. The statement above has waited for it.
    const { rowCount } = copied as unknown as { rowCount: number };
    if (bytes !== file.bytes) throw new Error(`${key} has ${bytes} bytes, but ${file.bytes} were written`);
    return { ...stored, rows: rowCount, file: { key, bytes, sha256: file.digest() } };
  } catch (error) {
    if (partition === null || !isMissingTable(error)) throw error;
    await client.query('rollback to savepoint one_table');
    return undefined;
  }
}
