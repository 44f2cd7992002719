import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { FileStore } from '#platform/files/file-store.ts';
import { BackupError } from '../store/backup-error.ts';
import { exchangeDirectory, type ExchangeHandler } from './exchange.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

// Without a checksum, PostgreSQL would take a damaged byte for the end of the WAL.
const compression = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** The prefix of WAL files in an archive. */
const walPrefix = 'wal/';

/** Returns the key of a WAL file in an archive. */
export const walKey = (file: string): string => `${walPrefix}${file}.zst`;

/** Size of a WAL segment in bytes. This is the default of initdb. */
const segmentBytes = 16 * 1024 * 1024;

/** Returns true for the name of a WAL segment. An archive has other files too. */
export const isSegment = (file: string): boolean => /^[0-9A-F]{24}$/.test(file);

/** Returns the position of a WAL segment: its name without the timeline. Positions sort by time. */
export const walPosition = (file: string): string => file.slice(8, 24);

/**
 * Makes the handler that stores a WAL file in an archive. Resolves when the file is durable.
 *
 * Accepts a file that is already in the archive with the same content: the server repeats a request
 * whose result it did not get. Never overwrites a file with other content: another server wrote it.
 */
export function walArchiver(cluster: string, store: FileStore): ExchangeHandler {
  return async (file) => {
    const content = await readFile(path.join(cluster, 'pg_wal', file));
    // `list` also works when the archive does not exist yet.
    const isThere = (await store.list(walKey(file))).length > 0;
    if (isThere) {
      if ((await readStored(store, file))?.equals(content) === true) return true;
      throw new Error(`the archive has another file ${file}`);
    }
    const compressed = await compress(content, compression);
    await store.write(walKey(file), {
      contentType: 'application/zstd',
      fill: (sink) => pipeline(Readable.from([compressed]), sink),
      onBegin: async () => undefined,
    });
    return true;
  };
}

/**
 * Makes the handler that restores a WAL file from an archive. It writes the file into the exchange
 * directory, from where the `restore_command` of the server moves it.
 */
export function walRestorer(cluster: string, store: FileStore): ExchangeHandler {
  return async (file) => {
    const content = await readStored(store, file);
    if (content === undefined) return false;
    // A truncated file can be decompressed without an error, so check its size.
    if (isSegment(file) && content.length !== segmentBytes) throw new BackupError(`${walKey(file)} is damaged`);
    const place = path.join(cluster, exchangeDirectory, file);
    const { uid, gid } = await stat(cluster);
    await writeFile(`${place}.part`, content, { mode: 0o600 });
    await chown(`${place}.part`, uid, gid);
    await rename(`${place}.part`, place);
    return true;
  };
}

async function readStored(store: FileStore, file: string): Promise<Buffer | undefined> {
  const compressed = await store.read(walKey(file));
  if (compressed === undefined) return undefined;
  const bytes = await buffer(compressed);
  return decompress(bytes).catch((error: unknown) => {
    throw new BackupError(`${walKey(file)} is damaged`, { cause: error });
  });
}

/** Lists the WAL segments of an archive in order. */
export async function listSegments(store: FileStore): Promise<string[]> {
  const names = (await store.list(walPrefix)).map(({ key }) => key.slice(walPrefix.length, -'.zst'.length));
  return names.filter(isSegment).sort();
}

/** Deletes the WAL before a segment from an archive. */
export async function deleteWalBefore(store: FileStore, segment: string): Promise<void> {
  for (const { key } of await store.list(walPrefix)) {
    const name = key.slice(walPrefix.length);
    if (/^[0-9A-F]{24}[.]/.test(name) && walPosition(name) < walPosition(segment)) await store.delete(key);
  }
}
