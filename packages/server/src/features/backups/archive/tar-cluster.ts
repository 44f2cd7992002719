import { once } from 'node:events';
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Pack } from 'tar-stream';
import { valueIfMissing } from '#platform/errors/system-error-code.ts';
import { exchangeDirectory } from './exchange.ts';

/** Directories to back up without their files, as the manual of PostgreSQL recommends. */
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

const isExcluded = (name: string): boolean =>
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|recovery\.signal|standby\.signal|pg_internal\.init.*|pgsql_tmp.*)$/.test(
    name,
  ) || name === exchangeDirectory;

const chunkBytes = 1024 * 1024;

/**
 * Adds the files of a running server to a tar archive, between pg_backup_start and pg_backup_stop.
 *
 * The files change while they are copied, and the WAL repairs inconsistent pages after a restore.
 * Each file keeps the size that it has when its copy begins: if it becomes shorter, zeros fill the
 * rest. A file that was deleted is left out.
 */
export async function tarCluster(cluster: string, tar: Pack, signal: AbortSignal): Promise<void> {
  async function addDirectory(relative: string): Promise<void> {
    const names = await readdir(path.join(cluster, relative)).catch(valueIfMissing<string[]>([]));
    for (const name of names.filter((one) => !isExcluded(one))) {
      signal.throwIfAborted();
      const file = path.posix.join(relative, name);
      const found = await stat(path.join(cluster, file)).catch(valueIfMissing(undefined));
      if (found?.isDirectory() === true) {
        tar.entry({ name: file, type: 'directory', mode: 0o700 });
        if (!emptied.has(file)) await addDirectory(file);
      } else if (found?.isFile() === true) await addFile(file, found.size);
    }
  }

  async function addFile(file: string, size: number): Promise<void> {
    const handle = await open(path.join(cluster, file)).catch(valueIfMissing(undefined));
    if (handle === undefined) return;
    try {
      const added = Promise.withResolvers<void>();
      // If reading fails first, nothing awaits this promise.
      added.promise.catch(() => undefined);
      const entry = tar.entry({ name: file, size, mode: 0o600 }, (error) =>
        error == null ? added.resolve() : added.reject(error),
      );
      for (let at = 0; at < size;) {
        const chunk = Buffer.alloc(Math.min(chunkBytes, size - at));
        await handle.read(chunk, 0, chunk.length, at);
        at += chunk.length;
        if (!entry.write(chunk)) await Promise.race([once(entry, 'drain'), added.promise]);
      }
      entry.end(undefined);
      await added.promise;
    } finally {
      await handle.close();
    }
  }

  await addDirectory('');
  tar.entry({ name: 'pg_wal/archive_status', type: 'directory', mode: 0o700 });
  tar.entry({ name: 'pg_wal/summaries', type: 'directory', mode: 0o700 });
}
