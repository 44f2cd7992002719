import { chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { FileStore } from '../../exports/files/file-store.ts';
import { exchangeDirectory, type ExchangeHandler } from './exchange.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Where the files of the WAL lie in an archive. */
export const walPrefix = 'wal/';

const keyOf = (file: string): string => `${walPrefix}${file}.zst`;

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
    const isThere = (await store.list(keyOf(file))).length > 0;
    if (isThere) {
      if ((await readStored(store, file))?.equals(content) === true) return true;
      throw new Error(`the archive has another file ${file}`);
    }
    const packed = await compress(content);
    await store.write(keyOf(file), {
      contentType: 'application/zstd',
      fill: (sink) => pipeline(Readable.from([packed]), sink),
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
    const place = path.join(cluster, exchangeDirectory, file);
    const { uid, gid } = await stat(cluster);
    await writeFile(`${place}.part`, content, { mode: 0o600 });
    await chown(`${place}.part`, uid, gid);
    await rename(`${place}.part`, place);
    return true;
  };
}

async function readStored(store: FileStore, file: string): Promise<Buffer | undefined> {
  const packed = await store.read(keyOf(file));
  return packed === undefined ? undefined : await decompress(await buffer(packed));
}

/** Deletes the WAL of an archive that is older than a segment: what no base backup needs any more. */
export async function forgetWalBefore(store: FileStore, segment: string): Promise<void> {
  // Without the timeline, names are positions. An archive has one timeline.
  const position = (name: string): string => name.slice(8, 24);
  for (const { key } of await store.list(walPrefix)) {
    const name = key.slice(walPrefix.length);
    if (/^[0-9A-F]{24}[.]/.test(name) && position(name) < position(segment)) await store.delete(key);
  }
}
