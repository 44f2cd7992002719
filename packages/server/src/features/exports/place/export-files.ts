import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { refusalOf } from '#features/callbacks/destination/callback-url.ts';
import { resolveTarget } from '#features/callbacks/destination/guard.ts';
import type { Context } from '#platform/context.ts';
import type { ExportPlace } from '#platform/database/schema/tables/exports.ts';
import { storageTimeout, type FileStore, type WriteOptions } from '#platform/files/file-store.ts';
import { guardedFileStore } from '#platform/files/guarded-file-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { hour } from '#platform/time/intervals.ts';
import { ExportFailure } from './export-failure.ts';
import type { ExportRow } from '../store/export-store.ts';
import { findSchedule } from '../store/schedule-store.ts';

/** The file store of one export. Disposing it closes the connections to S3. */
export interface ExportFiles extends AsyncDisposable {
  readonly store: FileStore;
}

/**
 * Opens the file store of an export: that of the service, or the place in S3 of its schedule.
 *
 * Throws an {@link ExportFailure} when the place is not known anymore, or is not allowed anymore.
 */
export async function openExportFiles(context: Context, row: ExportRow): Promise<ExportFiles> {
  const { place } = row;
  if (place === null) return { store: context.exportFiles, [Symbol.asyncDispose]: async () => undefined };
  const schedule = await findSchedule(context.db, { accountId: row.account_id, scheduleId: row.schedule_id! });
  if (schedule === undefined) throw new ExportFailure('The schedule was deleted before the export ran.');
  if (schedule.place === null || JSON.stringify(schedule.place) !== JSON.stringify(place)) {
    throw new ExportFailure('The place of the schedule was changed before the export ran.');
  }
  const store = await openPlace(context, place, schedule.place_secret!);
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/**
 * Opens a place in S3. Every connection goes to an address that the rules of callbacks allow, so
 * that a schedule cannot reach the internal network.
 */
async function openPlace(
  { config, resolveHost }: Pick<Context, 'config' | 'resolveHost'>,
  { endpoint, region, bucket, prefix, key_id: accessKeyId }: ExportPlace,
  secretAccessKey: string,
): Promise<FileStore> {
  const url = new URL(endpoint);
  const rules = { allow: config.callbackAllow, plainHttp: false };
  // A connection to an address needs no look-up, so it is checked here.
  if (refusalOf(url, rules) !== undefined) {
    throw new ExportFailure('The address of S3 is not allowed. An operator can allow it with ROSTER_CALLBACK_ALLOW.');
  }
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const answer = async (): Promise<void> => {
      try {
        const signal = AbortSignal.timeout(storageTimeout);
        const addresses = await resolveTarget(url, { ...rules, resolveHost, signal });
        if (all === true) callback(null, [...addresses]);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      } catch (error) {
        callback(error as Error, '');
      }
    };
    void answer();
  };
  const { s3FileStore } = await import('#platform/files/s3-file-store.ts');
  const store = guardedFileStore(
    s3FileStore(
      { bucket, prefix },
      {
        endpoint,
        region,
        timeout: storageTimeout,
        credentials: { accessKeyId, secretAccessKey },
        agents: {
          httpAgent: new http.Agent({ keepAlive: true, lookup }),
          httpsAgent: new https.Agent({ keepAlive: true, lookup }),
        },
      },
    ),
  );
  const named = async <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => throwPlaceFailure(error));
  return {
    write: (key, options) => named(writeInTime(store, key, options)),
    read: (key, range, signal) => named(store.read(key, range, signal)),
    list: (keyPrefix) => named(store.list(keyPrefix)),
    delete: (key) => named(store.delete(key)),
    discard: (unfinished) => named(store.discard(unfinished)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

// Milliseconds. While a server takes a file slowly, the export holds a snapshot of the database. Then
// PostgreSQL cannot clean up the tables of all accounts.
const longestWrite = 6 * hour;

/**
 * Writes a file to a place in S3. Throws an {@link ExportFailure} when the server takes longer than
 * `longest` milliseconds.
 */
export async function writeInTime(
  store: Pick<FileStore, 'write'>,
  key: string,
  options: WriteOptions,
  longest = longestWrite,
): Promise<number> {
  const late = AbortSignal.timeout(longest);
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
  return store.write(key, { ...options, signal }).catch((error: unknown) => {
    if (!late.aborted) throw error;
    throw new ExportFailure('S3 took too long to store the file.', { cause: error });
  });
}

/** Errors of S3 that stay until somebody changes the schedule or the bucket. */
const finalErrors: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccountProblem',
  'AllAccessDisabled',
  'AuthorizationHeaderMalformed',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
]);

function throwPlaceFailure(error: unknown): never {
  const cause = error instanceof StorageFault ? error.cause : undefined;
  if (!(cause instanceof Error)) throw error;
  if (finalErrors.has(cause.name)) throw new ExportFailure(`S3 refused the file: ${cause.name}.`, { cause: error });
  if (cause.name === 'DeliveryError') {
    throw new ExportFailure(`S3 could not be reached: ${cause.message}`, { cause: error });
  }
  throw error;
}
