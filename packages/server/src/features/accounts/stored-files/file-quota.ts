import { PassThrough, Transform } from 'node:stream';
import type { AccountDetail } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { lockAccount } from '../store/account-store.ts';
import { storedBytes } from './stored-bytes.ts';

const mebibyte = 1024 * 1024;

/** A file that is about to be stored. */
export interface NewFile {
  readonly accountId: number;
  /** The import or export of the file. What is stored of it already does not count. */
  readonly owner?: string;
  /** The size of the file, if it is known. */
  readonly bytes?: number | undefined;
}

/** The room that an account has left for a file. */
export interface FileRoom {
  /**
   * Makes a stream that passes the file through, and fails with `storage_quota` when the file needs
   * more room. `before`: bytes of the file that were stored earlier.
   */
  readonly limiter: (before?: number) => Transform;
}

/** The room for a file that does not count, such as one in a place of the account. */
export const unlimitedRoom: FileRoom = { limiter: () => new PassThrough() };

/**
 * Returns the room for a file. Throws `storage_quota` when it is used up, or the file is larger.
 *
 * Files that are stored at the same time do not see each other. {@link requireRoomToKeep} does.
 */
export async function requireRoom(
  db: Database,
  { config }: Pick<Context, 'config'>,
  { accountId, owner, bytes }: NewFile,
): Promise<FileRoom> {
  const limit = config.filesPerAccountMb;
  if (limit === 0) return unlimitedRoom;
  const used = await storedBytes(db, accountId, owner);
  const left = limit * mebibyte - used;
  const params = { limit, used: Math.ceil((used / mebibyte) * 10) / 10 };
  const error = (): ApiError => new ApiError('storage_quota', { params });
  if (left < Math.max(bytes ?? 0, 1)) throw error();
  return { limiter: (before = 0) => limiter(left - before, error) };
}

/**
 * Checks the room again, in the transaction that notes the file. Locks the account until it ends.
 * So the files that an account keeps never exceed its quota. Throws `storage_quota`.
 */
export async function requireRoomToKeep(
  trx: Database,
  context: Pick<Context, 'config'>,
  file: NewFile & { readonly bytes: number },
): Promise<void> {
  if (context.config.filesPerAccountMb === 0) return;
  await lockAccount(trx, file.accountId);
  await requireRoom(trx, context, file);
}

/** Returns true for the error of an account whose quota is used up. A retry does not help soon. */
export function isOverQuota(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'storage_quota';
}

/** Returns the quota of an account, and how much of it is used. */
export async function storedFilesOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  accountId: number,
): Promise<AccountDetail['stored_files']> {
  const limit = config.filesPerAccountMb === 0 ? null : config.filesPerAccountMb * mebibyte;
  return { limit, used: await storedBytes(db, accountId) };
}

/** Makes a stream that fails with `error` after `bytes`. */
function limiter(bytes: number, error: () => Error): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > bytes) done(error());
      else done(null, chunk);
    },
  });
}
