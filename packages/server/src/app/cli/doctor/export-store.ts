import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Config } from '#platform/config/config.ts';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';
import { localDirectory, openFileStore } from '#platform/files/open-file-store.ts';
import { isDiskFull } from '#platform/files/storage-fault.ts';
import { fault, note, ok, reasonOf, type Finding } from './findings/finding.ts';

/**
 * Checks the store of export files: writes, reads and deletes a small file. Creates no directory,
 * because the command may run in the wrong place.
 */
export async function checkExportStore(config: Config): Promise<readonly Finding[]> {
  const { exportStore: place } = config;
  const name = place === undefined ? 'the data directory' : `s3://${place.bucket}/${place.prefix}`;
  if (place === undefined && !(await isDirectory(localDirectory(config)))) {
    return [note(`Export files are kept in ${localDirectory(config)}. The first one creates the directory.`)];
  }
  const content = 'roster doctor';
  const key = `doctor-${randomUUID()}.txt`;
  await using store = openFileStore(config);
  try {
    await store.write(key, {
      contentType: 'text/plain',
      fill: (sink) => pipeline(Readable.from([content]), sink),
      onBegin: async () => undefined,
    });
    const read = await store.read(key);
    const found = read === undefined ? undefined : await text(read);
    await store.delete(key);
    if (found !== content) throw new Error('the file that was read differs from the file that was written');
  } catch (error) {
    const advice =
      place === undefined
        ? adviceForDirectory(error)
        : 'Check ROSTER_EXPORT_STORE, the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), AWS_REGION, and the rights to write, read and delete.';
    return [fault(`Cannot store export files in ${name}: ${reasonOf(error)}.`, advice)];
  }
  return [ok(`Export files can be written to and read from ${name}.`)];
}

/** Returns what to do when files cannot be stored in the data directory. */
export function adviceForDirectory(error: unknown): string {
  if (isDiskFull(error)) return 'Free some space on the disk of `exports` in the data directory (ROSTER_DATA_DIR).';
  return systemErrorCode(error) === 'EROFS'
    ? 'Mount the disk of `exports` in the data directory (ROSTER_DATA_DIR) so that it can be written to.'
    : 'Give this user the right to write to `exports` in the data directory (ROSTER_DATA_DIR).';
}

const isDirectory = (place: string): Promise<boolean> =>
  stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
