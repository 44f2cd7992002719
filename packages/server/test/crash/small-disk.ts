import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import path from 'node:path';
import { onEnd, temporaryDirectory, type TemporaryDirectory } from './cleanup.ts';

/** Enough for a database, its WAL, and the data of a few rounds. */
const mebibytes = 900;

/** A small file system that can be filled up. Disposing it unmounts it. */
export interface SmallDisk extends TemporaryDirectory {
  /** Uses up all free space. */
  fill(): Promise<void>;
  /** Frees the space again. */
  free(): void;
}

/** Why this machine cannot mount a small disk, or undefined if it can. */
export function smallDiskObstacle(): string | undefined {
  if (process.platform !== 'linux')
    return 'it needs a file system of a limited size, which only the Linux form of this test makes';
  return process.getuid?.() === 0 ? undefined : 'it mounts a file system of a limited size, which needs root';
}

/** Mounts a small disk (tmpfs). Returns undefined if the system does not allow it. */
export async function mountSmallDisk(): Promise<SmallDisk | undefined> {
  const directory = await temporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=711`, 'tmpfs', directory.path], {
      stdio: 'ignore',
    });
  } catch {
    // This is a container without the capability to mount.
    directory[Symbol.dispose]();
    return undefined;
  }
  // A lazy unmount, because an ending process may still have a file open.
  const unmount = (): void => void execFileSync('umount', ['-l', directory.path], { stdio: 'ignore' });
  const forget = onEnd(unmount);
  await chmod(directory.path, 0o711);
  const ballast = path.join(directory.path, 'ballast');
  return {
    path: directory.path,
    async fill() {
      await using file = await open(ballast, 'a');
      const piece = Buffer.alloc(1024 * 1024);
      for (let size = piece.length; size >= 4096;) {
        try {
          await file.write(piece, 0, size);
        } catch (error) {
          if ((error as { code?: string }).code !== 'ENOSPC') throw error;
          size /= 2;
        }
      }
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]() {
      forget();
      unmount();
      directory[Symbol.dispose]();
    },
  };
}
