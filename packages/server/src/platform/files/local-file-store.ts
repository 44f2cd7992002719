import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createDirectory } from '@roster/embedded-postgres';
import { valueIfMissing } from '#platform/errors/system-error-code.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import type { RequireRoom } from './room-for-database.ts';

// The files contain personal data, so only the service may read them.
const directoryMode = 0o700;
const fileMode = 0o600;

/** Bytes to buffer before the source must wait. A large buffer makes fewer and larger writes. */
const writeBuffer = 1024 * 1024;
const readBuffer = 256 * 1024;

/** Milliseconds between two looks at the free space while a file is written. */
const roomInterval = 250;

/** The suffix of the name of a file while it is written. */
const unfinishedEnd = '.part';

/**
 * Stores files in a directory of this machine, or in one that all machines of a deployment share.
 *
 * A file is written under another name, made durable, and then renamed. So it appears only when it
 * is complete.
 *
 * `requireRoom` is asked for the directory before a file is written and while it grows. A write ends
 * with its error. Default: a file can fill the disk.
 */
export function localFileStore(directory: string, requireRoom: RequireRoom = async () => undefined): FileStore {
  const placeOf = (key: string): string => path.join(directory, key);

  return {
    async write(key, { fill, onBegin }) {
      const place = placeOf(key);
      const unfinished = `${key}${unfinishedEnd}`;
      await onBegin(unfinished);
      await createDirectory(path.dirname(place), directoryMode);
      await requireRoom(directory);
      const sink = createWriteStream(placeOf(unfinished), { mode: fileMode, highWaterMark: writeBuffer });
      const watch = setInterval(() => {
        requireRoom(directory).catch((error: unknown) => sink.destroy(error as Error));
      }, roomInterval);
      try {
        await fill(sink);
        const size = await makeDurable(placeOf(unfinished));
        await rename(placeOf(unfinished), place);
        // The new name is durable only when the directory is.
        await makeDurable(path.dirname(place));
        return size;
      } catch (error) {
        sink.destroy();
        // The file may not be open yet. If it were deleted before, it would appear after that.
        if (!sink.closed) await new Promise<void>((resolve) => sink.once('close', resolve));
        await rm(placeOf(unfinished), { force: true });
        throw error;
      } finally {
        clearInterval(watch);
      }
    },

    async read(key, range) {
      const handle = await openExisting(placeOf(key));
      // If the directory of the store is missing, throw: the disk may not be mounted.
      if (handle === undefined) await stat(directory);
      return handle?.createReadStream({ highWaterMark: readBuffer, ...range });
    },

    async list(prefix) {
      const at = prefix.lastIndexOf('/') + 1;
      const entries = await readdir(placeOf(prefix.slice(0, at))).catch(valueIfMissing<string[]>([]));
      const found = entries.filter((name) => name.startsWith(prefix.slice(at)));
      return (await Promise.all(found.map((name) => filesBelow(directory, prefix.slice(0, at) + name)))).flat();
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

/** Lists a finished file, or all files below a directory. Skips files that disappear. */
async function filesBelow(root: string, key: string): Promise<StoredFile[]> {
  const place = path.join(root, key);
  const found = await stat(place).catch(valueIfMissing(undefined));
  if (found?.isFile() === true) return key.endsWith(unfinishedEnd) ? [] : [{ key, size: found.size }];
  if (found?.isDirectory() !== true) return [];
  const names = await readdir(place).catch(valueIfMissing<string[]>([]));
  return (await Promise.all(names.map((name) => filesBelow(root, `${key}/${name}`)))).flat();
}

const openExisting = async (place: string): Promise<FileHandle | undefined> =>
  open(place, constants.O_RDONLY).catch(valueIfMissing(undefined));

/** Flushes a file or directory to the disk and returns its size. */
async function makeDurable(place: string): Promise<number> {
  const handle = await open(place, constants.O_RDONLY);
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
