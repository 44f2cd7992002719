import type { FileStore } from '#platform/files/file-store.ts';
import { guardedFileStore } from '#platform/files/guarded-file-store.ts';
import { openStoreAt } from '#platform/files/open-file-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { BackupError } from './backup-error.ts';
import { shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import type { StoreConfig } from './find-backup.ts';

/** Opens the file store in a place of backups. Its errors are `StorageFault`s. */
export const openBackupStore = (place: BackupPlace, config: StoreConfig): FileStore =>
  guardedFileStore(openStoreAt(place, config));

/**
 * Converts a `StorageFault` to a {@link BackupError} with advice. Returns other errors unchanged.
 */
export function explainStorage(place: BackupPlace, error: unknown): unknown {
  if (!(error instanceof StorageFault)) return error;
  const cause = firstOf(error.cause);
  const [reason, advice] = typeof place === 'string' ? explainDirectoryError(cause) : explainS3Error(cause);
  return new BackupError(`${shownPlace(place)} cannot be used: ${reason}. ${advice}`, { cause: error });
}

type Explanation = readonly [reason: string, advice: string];

function explainDirectoryError(error: Error & { readonly code?: unknown; readonly syscall?: unknown }): Explanation {
  const another = 'use another directory.';
  switch (error.code) {
    case 'EACCES':
    case 'EPERM':
      return ['this user has no permission to read or write there', `Give the user the permission, or ${another}`];
    case 'ENOTDIR':
    case 'EEXIST':
      return ['the path, or a part of it, is a file or a broken link', 'Use a directory.'];
    case 'ENOENT':
      if (error.syscall !== 'mkdir') break;
      return ['its file system does not allow new directories there', 'Use another directory.'];
    case 'EROFS':
      return ['its file system is read-only', `Mount the file system for writing, or ${another}`];
    case 'ENOSPC':
    case 'EDQUOT':
      return ['its disk is full', `Free some space, or ${another}`];
    default:
  }
  return [withoutDot(error.message), `Check its disk, or ${another}`];
}

function explainS3Error(error: Error & { readonly code?: unknown; readonly syscall?: unknown }): Explanation {
  if (error.name === 'NoSuchBucket') return ['the bucket does not exist', 'Create the bucket, or use another one.'];
  const isUnreachable =
    error.syscall !== undefined || /^E[A-Z]+$/.test(String(error.code)) || error.name === 'TimeoutError';
  const advice = isUnreachable
    ? 'Check AWS_ENDPOINT_URL and AWS_REGION, and that the server can be reached.'
    : 'Check the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY), AWS_REGION, and the permissions to list, read, write and delete.';
  return [withoutDot(error.message), advice];
}

/** An AggregateError has an error for each address of a host, and no message. */
function firstOf(error: unknown): Error {
  if (error instanceof AggregateError && error.errors.length > 0) return firstOf(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

/** Removes the dot at the end of a message, which then ends a part of a sentence. */
export const withoutDot = (message: string): string => message.replace(/[.\s]+$/, '');
