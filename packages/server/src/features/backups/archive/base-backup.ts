import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { Type, type Static } from 'typebox';
import packageFile from '../../../../package.json' with { type: 'json' };
import { openConnection } from '#platform/database/connection/open-connection.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { BackupError } from '../store/backup-error.ts';
import { manifestFormat, readVerifiedManifest, writeManifest } from '../store/manifest.ts';
import { Checksum, compressFile } from '../store/store-files.ts';
import { tarCluster } from './tar-cluster.ts';

const baseManifest = Type.Object({
  format: Type.Literal(manifestFormat),
  kind: Type.Literal('files'),
  roster_version: Type.String(),
  /** Major version of PostgreSQL. Other versions cannot read the files. */
  postgres_major: Type.Integer(),
  /** The earliest time that the backup can be restored to. */
  taken_at: Type.String(),
  /** The first WAL segment that a restore needs. */
  first_wal: Type.String({ pattern: '^[0-9A-F]{24}$' }),
  file: Type.Object({ key: Type.Literal('base.tar.zst'), bytes: Type.Integer(), sha256: Type.String() }),
});

/** The content of a base backup, which is a copy of the files of the embedded server. */
export type BaseManifest = Static<typeof baseManifest>;

/** The first entry of the tar archive: the password of the database. */
export const passwordEntry = 'roster/password';

/** A server to back up. */
export interface BaseBackupSource {
  readonly databaseUrl: string;
  /** The directory with the files of the server. */
  readonly cluster: string;
  /** The directory with the password. */
  readonly home: string;
}

/**
 * Copies the files of a running server, whose WAL is archived, into an empty place. The manifest
 * comes last and makes the backup complete. Returns the size in bytes.
 */
export async function writeBaseBackup(
  source: BaseBackupSource,
  store: FileStore,
  signal: AbortSignal,
): Promise<number> {
  const { databaseUrl, cluster, home } = source;
  const client = await openConnection(databaseUrl, 'roster base backup');
  try {
    const { rows: started } = await client.query<{ first_wal: string; major: number }>(
      `select pg_walfile_name(pg_backup_start('roster', true)) as first_wal, current_setting('server_version_num')::int / 10000 as major`,
    );
    const { first_wal, major } = started[0]!;
    const checksum = new Checksum();
    let takenAt = '';
    const bytes = await store.write('base.tar.zst', {
      contentType: 'application/zstd',
      onBegin: async () => undefined,
      async fill(sink) {
        const tar = pack();
        const filling = (async () => {
          tar.entry({ name: passwordEntry, mode: 0o600 }, await readFile(path.join(home, 'password'), 'utf8'));
          await tarCluster(cluster, tar, signal);
          // pg_backup_stop waits until the WAL that the copy needs is archived.
          const { rows } = await client.query<{ label: string; tablespaces: string; taken_at: string }>(
            `select labelfile as label, spcmapfile as tablespaces, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at
             from pg_backup_stop(true)`,
          );
          tar.entry({ name: 'backup_label', mode: 0o600 }, rows[0]!.label);
          takenAt = rows[0]!.taken_at;
          tar.finalize();
        })();
        // If one of the two fails, the other must end too.
        filling.catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
        await Promise.all([pipeline(tar, compressFile(), checksum, sink, { signal }), filling]);
      },
    });
    const manifest: BaseManifest = {
      format: manifestFormat,
      kind: 'files',
      roster_version: packageFile.version,
      postgres_major: major,
      taken_at: takenAt,
      first_wal,
      file: { key: 'base.tar.zst', bytes, sha256: checksum.digest() },
    };
    await writeManifest(store, manifest);
    return bytes;
  } finally {
    // Closing the connection also ends a backup that was begun.
    await client.end().catch(() => undefined);
  }
}

/** Reads the manifest of a base backup; undefined when there is none. */
export async function readBaseManifest(store: FileStore, shown: string): Promise<BaseManifest | undefined> {
  const manifest = await readVerifiedManifest(store, shown);
  if (manifest === undefined) return undefined;
  const { Check } = await import('typebox/value');
  if (Check(baseManifest, manifest)) return manifest;
  throw new BackupError(
    `This version of Roster does not know the layout of the base backup ${shown}. Use the version that made it, or a later one.`,
  );
}
