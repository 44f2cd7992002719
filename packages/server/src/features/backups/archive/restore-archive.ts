import { chown, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { createZstdDecompress } from 'node:zlib';
import type { Logger } from 'pino';
import { extract } from 'tar-stream';
import {
  createDirectory,
  EmbeddedPostgresError,
  type HeldDataDirectory,
  type UnfinishedCluster,
} from '@roster/embedded-postgres';
import { holdDataDirectory } from '#platform/database/embedded-postgres.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { BackupError } from '../store/backup-error.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { openBackupStore } from '../store/backup-store.ts';
import type { StoreConfig } from '../store/find-backup.ts';
import { Checksum } from '../store/store-files.ts';
import { passwordEntry } from './base-backup.ts';
import { listBases, type ListedBase } from './list-archive.ts';
import { recover } from './recover.ts';

/** The options of {@link restoreArchive}. */
export interface ArchiveRestoreOptions {
  readonly dataDir: string;
  readonly archive: BackupPlace;
  readonly config: StoreConfig;
  /** The time to restore to; undefined for the end of the archive. */
  readonly at: Date | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Called with the bytes of the base backup that were read so far, and its size. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly systemDir?: string;
}

/**
 * Restores the embedded PostgreSQL to a time, in a data directory without a database. Uses the
 * newest base backup before that time, then the WAL.
 *
 * Works in a temporary directory, and moves the files to their place at the end. A restore that
 * fails or is killed leaves no database. Throws a {@link BackupError}.
 */
export async function restoreArchive(options: ArchiveRestoreOptions): Promise<{ readonly base: ListedBase }> {
  const { archive, config, dataDir, log, signal, systemDir } = options;
  const base = await chooseBase(options);
  using directory = await holdDataDirectory({ dataDir, log, ...(systemDir === undefined ? {} : { systemDir }) });
  if (directory.hasCluster) {
    throw new BackupError(
      `The data directory ${dataDir} already has a database. Set ROSTER_DATA_DIR to another directory, or move this one away.`,
    );
  }
  await using cluster = await extractBase(options, base, directory);
  await using store = openBackupStore(archive, config);
  await recover({ at: options.at, archive, base, cluster, log, signal, store });
  signal.throwIfAborted();
  await cluster.finish();
  return { base };
}

async function chooseBase({ archive, config, at }: ArchiveRestoreOptions): Promise<ListedBase> {
  const { bases, faults } = await listBases(archive, config);
  if (at !== undefined && at.getTime() > Date.now()) {
    throw new BackupError(
      `The time of --at is in the future. It is now ${new Date().toISOString()}. Use an earlier time, or leave out --at to restore to the end of the archive.`,
    );
  }
  const base = at === undefined ? bases[0] : bases.find(({ takenAt }) => takenAt <= at);
  if (base !== undefined) return base;
  if (faults.length > 0) throw faults[0]!;
  const oldest = bases.at(-1);
  throw new BackupError(
    oldest === undefined
      ? `The archive ${shownPlace(archive)} has no complete base backup, so nothing can be restored from it.`
      : `The archive ${shownPlace(archive)} begins at ${oldest.takenAt.toISOString()}. Use a later time.`,
  );
}

/** Extracts a base backup into a new cluster, and checks its checksum. */
async function extractBase(
  { archive, config, onProgress, signal }: ArchiveRestoreOptions,
  { name, manifest }: ListedBase,
  directory: HeldDataDirectory,
): Promise<UnfinishedCluster> {
  const own = placeWithin(archive, name);
  await using store = openBackupStore(own, config);
  const source = await store.read(manifest.file.key);
  const damaged = (cause?: unknown): BackupError =>
    new BackupError(
      `The base backup ${shownPlace(own)} is damaged. Nothing was restored. Use an earlier time, or another backup.`,
      { cause },
    );
  if (source === undefined) throw damaged();
  let done = 0;
  const checksum = new Checksum((bytes) => onProgress?.((done += bytes), manifest.file.bytes));
  const entries = extract();
  const reading = pipeline(source, checksum, createZstdDecompress(), entries, { signal });
  // When reading fails, the loop over the entries throws the error.
  reading.catch(() => undefined);
  let cluster: UnfinishedCluster | undefined;
  try {
    for await (const entry of entries) {
      const { name: file, type } = entry.header;
      if (cluster === undefined) {
        if (file !== passwordEntry) throw damaged();
        cluster = await directory.beginCluster((await text(entry)).trim());
        requireMajor(manifest.postgres_major, cluster.major);
        await makeDirectory(cluster.directory, cluster);
        continue;
      }
      const target = path.join(cluster.directory, file);
      // The archive may be forged, so its names must not lead out of the cluster.
      if (!target.startsWith(`${cluster.directory}${path.sep}`) || (type !== 'file' && type !== 'directory'))
        throw damaged();
      if (type === 'directory') {
        entry.resume();
        await makeDirectory(target, cluster);
      } else await writeNewFile(target, entry as unknown as Readable, cluster);
    }
    await reading;
    if (cluster === undefined || checksum.digest() !== manifest.file.sha256) throw damaged();
    return cluster;
  } catch (error) {
    await cluster?.[Symbol.asyncDispose]();
    signal.throwIfAborted();
    if (error instanceof BackupError || error instanceof EmbeddedPostgresError || error instanceof StorageFault)
      throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw /^E(?!RR)/.test(code) ? error : damaged(error);
  }
}

function requireMajor(archived: number, packaged: number): void {
  if (archived === packaged) return;
  throw new BackupError(
    `The archive is from PostgreSQL ${archived}, but this version of Roster has PostgreSQL ${packaged}. Restore it with the version of Roster that made it.`,
  );
}

async function makeDirectory(directory: string, { user }: UnfinishedCluster): Promise<void> {
  await createDirectory(directory, 0o700);
  if (user !== undefined) await chown(directory, user.uid, user.gid);
}

async function writeNewFile(file: string, content: Readable, { user }: UnfinishedCluster): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await pipeline(content, handle.createWriteStream());
  } finally {
    await handle.close().catch(() => undefined);
  }
  if (user !== undefined) await chown(file, user.uid, user.gid);
}
