import type { Context } from '#platform/context.ts';
import type { WriteOptions } from '#platform/files/file-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { removeUnfinishedWrite, addUnfinishedWrite } from './import-store.ts';

/**
 * Writes a file of an import into the file store, and returns its size in bytes.
 *
 * During the write, the import stores the name of the unfinished file. If that file stays after a
 * crash or an error of the store, it is deleted when the import ends.
 */
export async function storeFile(
  { db, exportFiles }: Pick<Context, 'db' | 'exportFiles'>,
  key: LongRunKey,
  fileKey: string,
  options: Omit<WriteOptions, 'onBegin'>,
): Promise<number> {
  let unfinished: string | undefined;
  const forget = async (): Promise<void> => {
    if (unfinished !== undefined) await removeUnfinishedWrite(db, key, unfinished);
  };
  try {
    const size = await exportFiles.write(fileKey, {
      ...options,
      async onBegin(name) {
        unfinished = name;
        await addUnfinishedWrite(db, key, name);
      },
    });
    await forget();
    return size;
  } catch (error) {
    // After a StorageFault, the unfinished file can still be in the store.
    if (!(error instanceof StorageFault)) await forget();
    throw error;
  }
}
