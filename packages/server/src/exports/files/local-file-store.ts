import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FileStore } from './file-store.ts';

// The files hold personal data: nobody but the service reads them.
const directoryMode = 0o700;
const fileMode = 0o600;

/** Bytes that wait for the disk before the source has to: fewer and larger writes. */
const writeBuffer = 1024 * 1024;
const readBuffer = 256 * 1024;

/**
 * Keeps files in a directory of this machine, or one that all machines of a deployment share.
 *
 * A file is written under another name, made durable, and then renamed, so that it appears whole.
 */
export function localFileStore(directory: string): FileStore {
  const placeOf = (key: string): string => path.join(directory, key);

  return {
    async write(key, { fill, onBegin }) {
      const place = placeOf(key);
      const unfinished = `${key}.part`;
      await onBegin(unfinished);
      await mkdir(path.dirname(place), { recursive: true, mode: directoryMode });
      const sink = createWriteStream(placeOf(unfinished), { mode: fileMode, highWaterMark: writeBuffer });
      try {
        await fill(sink);
        const size = await makeDurable(placeOf(unfinished));
        await rename(placeOf(unfinished), place);
        // The new name is durable only with its directory.
        await makeDurable(path.dirname(place));
        return size;
      } catch (error) {
        sink.destroy();
        await rm(placeOf(unfinished), { force: true }).catch(() => undefined);
        throw error;
      }
    },

    async read(key, range) {
      const handle = await openExisting(placeOf(key));
      return handle?.createReadStream({ highWaterMark: readBuffer, ...range });
    },

    async delete(key) {
      await rm(placeOf(key), { force: true });
    },

    async discard(unfinished) {
      await rm(placeOf(unfinished), { force: true });
    },

    async [Symbol.asyncDispose]() {
      // Nothing is kept open.
    },
  };
}

async function openExisting(place: string): Promise<FileHandle | undefined> {
  try {
    return await open(place, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Waits until a file or directory is on the disk, and answers its size. */
async function makeDurable(place: string): Promise<number> {
  const handle = await open(place, constants.O_RDONLY);
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
