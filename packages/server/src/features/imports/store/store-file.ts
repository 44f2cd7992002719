import type { Context } from '#platform/context.ts';
import type { WriteOptions } from '#platform/files/file-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { forgetUnfinished, noteUnfinished } from './import-store.ts';

/**
 * Writes a file of an import into the store, and returns its size in bytes. What the write may leave there is noted until it is known to
 * have left nothing: when the import ends, the rest is removed.
 */
export async function storeFile(
  { db, exportFiles }: Pick<Context, 'db' | 'exportFiles'>,
  key: LongRunKey,
  place: string,
  options: Omit<WriteOptions, 'onBegin'>,
): Promise<number> {
  let unfinished: string | undefined;
  const forget = async (): Promise<void> => {
    if (unfinished !== undefined) await forgetUnfinished(db, key, unfinished);
  };
  try {
    const size = await exportFiles.write(place, {
      ...options,
      async onBegin(name) {
        unfinished = name;
        await noteUnfinished(db, key, name);
      },
    });
    await forget();
    return size;
  } catch (error) {
    // A store that fails may not have taken back what was begun.
    if (!(error instanceof StorageFault)) await forget();
    throw error;
  }
}
