import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { requireRoom, unlimitedRoom, type FileRoom } from '#features/accounts/stored-files/file-quota.ts';
import type { Context } from '#platform/context.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import type { ReadServer } from '#platform/database/replicas/read-replicas.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { copyStatement } from './copy-statement.ts';
import { headerOf, readSource } from './source.ts';
import type { LongRun } from '#platform/long-runs/long-runs.ts';
import { fileKeyOf, type ExportRow } from '../store/export-store.ts';
import { RowEndConverter } from './row-ends.ts';
import { estimateRows, wayToDerived } from './row-estimate.ts';
import { createRunProgress } from './run-progress.ts';

/** The content types of the files, by compression. */
export const contentTypes = { none: 'text/csv; charset=utf-8', gzip: 'application/gzip' } as const;

// Level 4 compresses 135 MB/s, which is faster than PostgreSQL writes. The default level 6 makes
// the file 10 % smaller, but slows down the export.
const gzipLevel = 4;

/** A file in the file store. */
export interface WrittenFile {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  readonly rows: number;
}

// Milliseconds. An export takes longer than a search, so it can wait longer for a replica.
const patience = 5000;

/**
 * Writes the file of an export to its file store, from one snapshot of the database or of a replica.
 *
 * Throws an {@link ExportFailure} when the audience or an attribute was deleted, `storage_quota`,
 * the reason of the signal when it is aborted, and a `RunOver` when the run must end. Then there is
 * no file.
 */
export async function writeFile(
  context: Context,
  files: FileStore,
  row: ExportRow,
  run: LongRun,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const { replicas, servers } = context;
  const { pool } = await servers.of(row.account_id);
  const owner = { accountId: row.account_id, owner: row.request_id };
  const room = row.place === null ? await requireRoom(context.db, context, owner) : unlimitedRoom;
  return replicas.read((server) => writeFrom(server, context, files, room, row, run, signal), {
    primary: { pool, control: pool },
    patience,
    signal,
  });
}

async function writeFrom(
  server: ReadServer,
  context: Context,
  files: FileStore,
  room: FileRoom,
  row: ExportRow,
  run: LongRun,
  signal: AbortSignal,
): Promise<WrittenFile> {
  await using snapshot = await openSnapshot(server);
  const source = await readSource({ searchDb: snapshot.db, now: context.now }, row);
  await using progress = createRunProgress(context, run);
  const rows_total = await snapshot.undone((db) => estimateRows(db, source));
  const derived = await wayToDerived(snapshot.db, source);
  const rowEnds = new RowEndConverter(Buffer.from(`${headerOf(row, source).join(',')}\r\n`));
  progress.saveEverySecond(() => ({ rows_total, rows_written: rowEnds.rows }));
  const key = fileKeyOf(row);
  const ending = AbortSignal.any([signal, progress.over]);
  try {
    const size = await files.write(key, {
      contentType: contentTypes[row.compression],
      signal: ending,
      onBegin: (unfinished) => progress.save({ rows_total, unfinished_write: unfinished }),
      async fill(sink) {
        const rows = snapshot.copyOut(copyStatement(source, derived));
        const gzip = row.compression === 'gzip' ? [createGzip({ level: gzipLevel })] : [];
        await pipeline([rows, rowEnds, ...gzip, room.limiter(), sink], { signal: ending });
        await snapshot.finish();
      },
    });
    return { key, size, rows: rowEnds.rows };
  } catch (error) {
    // The error of an aborted stream does not contain the reason.
    progress.over.throwIfAborted();
    signal.throwIfAborted();
    throw error;
  }
}
