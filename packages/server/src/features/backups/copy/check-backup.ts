import { pipeline } from 'node:stream/promises';
import type { FileStore } from '#platform/files/file-store.ts';
import { jobSchemaVersion } from '#platform/database/schema/job-schema.ts';
import { migrationNames } from '#platform/database/schema/migrate.ts';
import { BackupError } from '../store/backup-error.ts';
import { readManifest, type Manifest } from '../store/manifest.ts';
import { Checksum } from '../store/store-files.ts';

/** A backup whose files match its manifest. */
export interface CheckedBackup {
  readonly store: FileStore;
  /** The place of the backup, for messages. */
  readonly shown: string;
  readonly manifest: Manifest;
}

/** The options of {@link checkBackup}. */
export interface CheckOptions {
  /** Called with the bytes that were read so far, and the size of all files. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Compares every file of a backup with its manifest. A restore calls this first.
 *
 * Throws a {@link BackupError} for a backup that is incomplete, damaged, or from a newer version.
 */
export async function checkBackup(
  store: FileStore,
  shown: string,
  { onProgress, signal }: CheckOptions = {},
): Promise<CheckedBackup> {
  const manifest = await readManifest(store, shown);
  if (manifest === undefined) {
    throw new BackupError(
      `${shown} is not a complete backup, because it has no manifest. It was interrupted, or is still being written. Use another backup.`,
    );
  }
  await requireKnownSchema(manifest, shown);
  const files = manifest.tables.flatMap(({ file }) => (file === null ? [] : [file]));
  // Check the sizes first. That finds most damage without reading gigabytes.
  const sizes = new Map((await store.list('')).map(({ key, size }) => [key, size]));
  for (const { key, bytes } of files) {
    const size = sizes.get(key);
    if (size === undefined) throw damaged(shown, key, 'is missing');
    if (size !== bytes) throw damaged(shown, key, `has ${size} bytes instead of ${bytes}`);
  }
  const total = files.reduce((all, { bytes }) => all + bytes, 0);
  let done = 0;
  for (const { key, sha256 } of files) {
    const content = await store.read(key);
    if (content === undefined) throw damaged(shown, key, 'is missing');
    const checksum = new Checksum((bytes) => onProgress?.((done += bytes), total));
    checksum.resume();
    await pipeline(content, checksum, { signal });
    if (checksum.digest() !== sha256) throw damaged(shown, key, 'does not have the content that was written');
  }
  return { store, shown, manifest };
}

async function requireKnownSchema(manifest: Manifest, shown: string): Promise<void> {
  const known = await migrationNames();
  const unknown = manifest.migrations.find((name, index) => known[index] !== name);
  if (unknown === undefined && manifest.job_schema_version <= jobSchemaVersion) return;
  throw new BackupError(
    `The backup ${shown} was made by Roster ${manifest.roster_version}, whose schema this version does not know` +
      `${unknown === undefined ? '' : ` (migration ${unknown})`}. Restore it with that version or a later one.`,
  );
}

/** Makes the error for a file that does not match the manifest. */
export const damaged = (shown: string, key: string, what: string): BackupError =>
  new BackupError(`The backup ${shown} is damaged: ${key} ${what}. Nothing was restored. Use another backup.`);
