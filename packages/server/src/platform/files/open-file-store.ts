import path from 'node:path';
import type { Config } from '#platform/config/config.ts';
import type { S3Place } from '#platform/config/s3-place.ts';
import { type FileStore, storageTimeout } from './file-store.ts';
import { localFileStore } from './local-file-store.ts';
import { requireRoomForDatabase } from './room-for-database.ts';

/**
 * Opens the store for the files of exports and imports: the S3 of `ROSTER_EXPORT_STORE`, or the
 * directory `exports` in the data directory, where they leave room for the database.
 */
export function openFileStore(config: Config, timeout = storageTimeout): FileStore {
  if (config.exportStore === undefined) return localFileStore(localDirectory(config), requireRoomForDatabase);
  return openStoreAt(config.exportStore, config, timeout);
}

/** Returns the directory of the files when they are not in S3. */
export const localDirectory = ({ dataDir }: Pick<Config, 'dataDir'>): string => path.join(dataDir, 'exports');

/** Opens a store in a directory or in S3. */
export function openStoreAt(
  place: string | S3Place,
  config: Pick<Config, 's3Endpoint' | 'awsEndpoint' | 'awsRegion'>,
  timeout = storageTimeout,
): FileStore {
  if (typeof place === 'string') return localFileStore(place);
  // Opened at the first use, because most processes never use a file.
  let opened: Promise<FileStore> | undefined;
  const store = (): Promise<FileStore> => {
    opened ??= import('./s3-file-store.ts').then(({ s3FileStore }) =>
      s3FileStore(place, { endpoint: config.s3Endpoint ?? config.awsEndpoint, region: config.awsRegion, timeout }),
    );
    return opened;
  };
  return {
    write: async (key, options) => (await store()).write(key, options),
    read: async (key, range, signal) => (await store()).read(key, range, signal),
    list: async (prefix) => (await store()).list(prefix),
    delete: async (key) => (await store()).delete(key),
    discard: async (unfinished) => (await store()).discard(unfinished),
    async [Symbol.asyncDispose]() {
      await (await opened)?.[Symbol.asyncDispose]();
    },
  };
}
