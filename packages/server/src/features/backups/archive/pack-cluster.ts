import { once } from 'node:events';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Pack } from 'tar-stream';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';
import { exchangeDirectory } from './exchange.ts';

/** Directories whose files the server makes anew, or takes from the archive; PostgreSQL's manual lists them. They stay, empty. */
const emptied: ReadonlySet<string> = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

const leftOut = (name: string): boolean =>
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|recovery\.signal|standby\.signal|pg_internal\.init.*|pgsql_tmp.*)$/.test(
    name,
  ) || name === exchangeDirectory;

const chunkBytes = 1024 * 1024;

/**
 * Puts the files of a running server into a tar archive, between the begin and the end of a base backup.
 *
 * The files change meanwhile: the WAL puts right what was torn. A file has as many bytes as it had when it was begun; one that became
 * shorter is filled with zeros, one that is gone is left out.
 */
export async function packCluster(cluster: string, tar: Pack, signal: AbortSignal): Promise<void> {
  async function packDirectory(relative: string): Promise<void> {
    const names = await readdir(path.join(cluster, relative)).catch(orNone<string[]>([]));
    for (const name of names.filter((one) => !leftOut(one))) {
      signal.throwIfAborted();
      const file = path.posix.join(relative, name);
      const found = await stat(path.join(cluster, file)).catch(orNone(undefined));
      if (found?.isDirectory() === true) {
        tar.entry({ name: file, type: 'directory', mode: 0o700 });
        if (!emptied.has(file)) await packDirectory(file);
      } else if (found?.isFile() === true) await packFile(file, found.size);
    }
  }

  async function packFile(file: string, size: number): Promise<void> {
    const handle = await open(path.join(cluster, file)).catch(orNone(undefined));
    if (handle === undefined) return;
    try {
      const packed = Promise.withResolvers<void>();
      // Nobody waits for it when reading fails first.
      packed.promise.catch(() => undefined);
      const entry = tar.entry({ name: file, size, mode: 0o600 }, (error) =>
        error == null ? packed.resolve() : packed.reject(error),
      );
      for (let at = 0; at < size;) {
        const chunk = Buffer.alloc(Math.min(chunkBytes, size - at));
        await handle.read(chunk, 0, chunk.length, at);
        at += chunk.length;
        if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), packed.promise]);
      }
      entry.end(undefined);
      await packed.promise;
    } finally {
      await handle.close();
    }
  }

  await packDirectory('');
  tar.entry({ name: 'pg_wal/archive_status', type: 'directory', mode: 0o700 });
  tar.entry({ name: 'pg_wal/summaries', type: 'directory', mode: 0o700 });
}

/** Handles a rejection: the value when the file is gone; other errors are thrown. */
const orNone =
  <T>(value: T) =>
  (error: unknown): T => {
    if (systemErrorCode(error) === 'ENOENT') return value;
    throw error;
  };
