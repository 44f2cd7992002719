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

// With a checksum: a changed byte must not become WAL that ends here.
const compression = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** Where the files of the WAL lie in an archive. */
const walPrefix = 'wal/';

/** The key of a file of the WAL in an archive. */
export const walKey = (file: string): string => `${walPrefix}${file}.zst`;

/** Bytes of a segment of the WAL, as initdb sets it. */
const segmentBytes = 16 * 1024 * 1024;

/** True for the name of a segment of the WAL; there are others in an archive. */
export const isSegment = (file: string): boolean => /^[0-9A-F]{24}$/.test(file);

/** The position of a segment of the WAL, which sorts: its name without the timeline. An archive has one timeline. */
export const walPosition = (file: string): string => file.slice(8, 24);

/**
 * Stores a file of the server's WAL in an archive, and returns when it is durable there.
 *
 * A file that is there already with the same content is fine: the server asks again when it was not told of the end. One with another content is
 * never written over: another server has written it.
 */
export function walArchiver(cluster: string, store: FileStore): ExchangeHandler {
  return async (file) => {
    const content = await readFile(path.join(cluster, 'pg_wal', file));
    // The archive may have nothing yet, not even its directory.
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

/** Hands the files of an archive to a server that recovers. The shell of the server moves them from the exchange directory to their place. */
export function walRestorer(cluster: string, store: FileStore): ExchangeHandler {
  return async (file) => {
    const content = await readStored(store, file);
    if (content === undefined) return false;
    // A file that was cut off is decompressed without an error, as far as it goes.
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

/** The segments of the WAL in an archive, from the first to the last. */
export async function listSegments(store: FileStore): Promise<string[]> {
  const names = (await store.list(walPrefix)).map(({ key }) => key.slice(walPrefix.length, -'.zst'.length));
  return names.filter(isSegment).sort();
}

/** Deletes the WAL of an archive that is older than a segment: what no base backup needs any more. */
export async function forgetWalBefore(store: FileStore, segment: string): Promise<void> {
  for (const { key } of await store.list(walPrefix)) {
    const name = key.slice(walPrefix.length);
    if (/^[0-9A-F]{24}[.]/.test(name) && walPosition(name) < walPosition(segment)) await store.delete(key);
  }
}
