import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Type, type Static } from 'typebox';
import type { FileStore } from '#platform/files/file-store.ts';
import { writeText } from './store-files.ts';
import { BackupError } from './backup-error.ts';

/** The name of the file that lists the content of a backup. Only a complete backup has it. */
export const manifestKey = 'manifest.json';

/** The version of the layout of backups. A reader refuses versions that it does not know. */
export const manifestFormat = 1;

const count = Type.Integer({ minimum: 0 });
const hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
// The key of a file becomes a path, and must not lead out of the directory of the backup.
const fileKey = Type.String({ pattern: '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$' });
// A bound becomes part of an SQL statement. So its literals must not have quotes and escapes.
const bound = Type.String({ pattern: String.raw`^(DEFAULT|FOR VALUES FROM \('[^'\\]*'\) TO \('[^'\\]*'\))$` });

const storedTable = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  partition: Type.Union([Type.Null(), Type.Object({ of: Type.String(), bound })]),
  columns: Type.Array(Type.String(), { minItems: 1 }),
  rows: count,
  /** Null for a table without rows. */
  file: Type.Union([Type.Null(), Type.Object({ key: fileKey, bytes: count, sha256: hash })]),
});

const storedSequence = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  last_value: Type.String({ pattern: '^-?[0-9]{1,19}$' }),
  is_called: Type.Boolean(),
});

const databaseManifest = Type.Object({
  format: Type.Literal(manifestFormat),
  kind: Type.Literal('database'),
  name: Type.String(),
  /** The version of Roster that made the backup. */
  roster_version: Type.String(),
  installation_id: Type.String(),
  postgres_version: Type.String(),
  /** The time of the snapshot, by the clock of the database. */
  taken_at: Type.String(),
  started_at: Type.String(),
  finished_at: Type.String(),
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  job_schema_version: count,
  tables: Type.Array(storedTable),
  sequences: Type.Array(storedSequence),
});

/** A table in a backup. */
export type StoredTable = Static<typeof storedTable>;

/** The content of a backup of the database. */
export type Manifest = Static<typeof databaseManifest>;

/** Writes the manifest of a backup of the database. Throws if a restore would refuse it. */
export async function writeDatabaseManifest(store: FileStore, manifest: Manifest): Promise<void> {
  // Loaded when needed: it has 300 modules.
  const { Check } = await import('typebox/value');
  if (!Check(databaseManifest, manifest)) throw new Error('the manifest of a new backup is invalid');
  await writeManifest(store, manifest);
}

/** Writes a manifest. Write it last, because it makes a backup complete. */
export async function writeManifest(store: FileStore, manifest: object): Promise<void> {
  const sealed = { sha256: hashOf(manifest), manifest };
  await writeText(store, manifestKey, `${JSON.stringify(sealed, null, 1)}\n`, 'application/json');
}

/**
 * Reads a manifest; undefined when there is none. Throws a {@link BackupError} when it is damaged.
 */
export async function readVerifiedManifest(store: FileStore, shown: string): Promise<unknown> {
  const file = await store.read(manifestKey);
  if (file === undefined) return undefined;
  const content = await text(file);
  try {
    const sealed = JSON.parse(content) as { sha256?: unknown; manifest?: unknown } | null;
    if (sealed?.manifest !== undefined && sealed.sha256 === hashOf(sealed.manifest)) return sealed.manifest;
  } catch {
    // The error below reports it.
  }
  throw new BackupError(
    `The backup ${shown} is damaged: its ${manifestKey} does not have the content that was written. Use another backup.`,
  );
}

/** Reads the manifest of a backup of the database; undefined when there is none. */
export async function readManifest(store: FileStore, shown: string): Promise<Manifest | undefined> {
  const manifest = await readVerifiedManifest(store, shown);
  if (manifest === undefined) return undefined;
  const { Check } = await import('typebox/value');
  if (Check(databaseManifest, manifest)) return manifest;
  if (Check(Type.Object({ kind: Type.Literal('files') }), manifest)) {
    throw new BackupError(
      `${shown} is a part of a WAL archive, and cannot be restored without the rest. Use the path of the archive.`,
    );
  }
  throw new BackupError(
    `The backup ${shown} has a layout that this version of Roster does not know. Restore it with the version that made it, or a later one.`,
  );
}

const hashOf = (manifest: unknown): string => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
