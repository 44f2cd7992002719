import { chown, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { UnfinishedCluster } from '@roster/embedded-postgres';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { BackupError } from '../store/backup-error.ts';
import { shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { exchangeCommand, exchangeDirectory, startExchange } from './exchange.ts';
import { endSignIns } from '../copy/sign-in-tables.ts';
import type { ListedBase } from './list-archive.ts';
import { listSegments, walKey, walPosition, walRestorer } from './wal-files.ts';

/** The options of a recovery. */
export interface Recovery {
  /** The time to restore to; undefined for the end of the archive. */
  readonly at: Date | undefined;
  readonly archive: BackupPlace;
  readonly store: FileStore;
  /** The base backup that was extracted into `cluster`. */
  readonly base: ListedBase;
  readonly cluster: UnfinishedCluster;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs the server on the files of a base backup until it has applied the WAL, and stops it.
 *
 * PostgreSQL takes a missing WAL file for the end of the WAL. Therefore this function throws a
 * {@link BackupError} if the archive has later files. If a file cannot be read, it throws the
 * `StorageFault` of the file store.
 */
export async function recover(recovery: Recovery): Promise<void> {
  const { at, cluster, log, signal, store } = recovery;
  const { directory, user } = cluster;
  const mark = path.join(directory, 'recovery.signal');
  await writeFile(mark, '', { mode: 0o600 });
  if (user !== undefined) await chown(mark, user.uid, user.gid);
  const settings = {
    wal_level: 'replica',
    archive_mode: 'off',
    // Do not accept connections before the recovery has ended.
    hot_standby: 'off',
    restore_command: exchangeCommand(`mv -f ${exchangeDirectory}/%f "%p"`),
    recovery_target_action: 'promote',
    // PostgreSQL accepts only a numeric time zone here.
    ...(at === undefined ? {} : { recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00') }),
  };
  const restoreFile = walRestorer(directory, store);
  let fault: BackupError | StorageFault | undefined;
  const handle = async (file: string): Promise<boolean> => {
    try {
      return await restoreFile(file);
    } catch (error) {
      if (!(error instanceof BackupError || error instanceof StorageFault)) throw error;
      // Thrown after the recovery has ended.
      fault ??= error;
      return false;
    }
  };
  await using exchange = await startExchange(directory, handle, log);
  try {
    await using server = await cluster.startServer(settings, signal);
    if (at === undefined) await requireWholeArchive(recovery, server.url, fault);
    await becomeNewInstallation(server.url);
  } catch (error) {
    signal.throwIfAborted();
    if (fault instanceof StorageFault) throw fault;
    throw explainEnd(recovery, error, fault) ?? error;
  }
  await exchange[Symbol.asyncDispose]();
  await rm(path.join(directory, exchangeDirectory), { recursive: true, force: true });
}

/**
 * Explains why the server ended during the recovery; undefined if the archive is not the reason.
 */
function explainEnd(
  { archive, base }: Recovery,
  error: unknown,
  fault: BackupError | undefined,
): BackupError | undefined {
  const lines = error instanceof Error ? error.message : '';
  const shown = shownPlace(archive);
  if (/recovery ended before configured recovery target was reached/.test(lines)) {
    const last = /last completed transaction was at log time (.*)/.exec(lines)?.[1];
    const change = last === undefined ? '' : ` The last change before that is from ${last}.`;
    return new BackupError(
      fault === undefined
        ? `The archive ${shown} ends before the time of --at.${change} Use an earlier time, or leave out --at to restore to the end of the archive.`
        : `The archive ${shown} cannot be read up to the time of --at: ${fault.message}.${change} Restore the file, or use an earlier time.`,
      { cause: error },
    );
  }
  if (!/WAL ends before (end of online backup|consistent recovery point)/.test(lines)) return undefined;
  return new BackupError(
    `The archive ${shown} does not have all of the WAL that its base backup ${base.name} needs: ${fault?.message ?? 'a file is missing'}. ` +
      'Restore the file, or use a time before that base backup with --at.',
    { cause: error },
  );
}

/** Throws a {@link BackupError} when the recovery ended before the end of the archive. */
async function requireWholeArchive(
  { archive, store }: Recovery,
  url: string,
  fault: BackupError | StorageFault | undefined,
): Promise<void> {
  const [row] = await query<{ segment: string; changed_at: string | null }>(
    url,
    // These functions still return their values after the recovery.
    `select pg_walfile_name(pg_last_wal_replay_lsn()) as segment,
       to_char(pg_last_xact_replay_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed_at`,
  );
  const { segment, changed_at: changedAt } = row!;
  const next = (await listSegments(store)).find((name) => walPosition(name) > walPosition(segment));
  if (next === undefined) return;
  const change = changedAt === null ? '' : ` The last change before that is from ${changedAt}.`;
  throw new BackupError(
    `The archive ${shownPlace(archive)} cannot be read to its end: ${fault?.message ?? `a file before ${walKey(next)} is missing`}.${change} ` +
      'Nothing was restored. Restore the file, or use an earlier time with --at.',
  );
}

/**
 * Gives the database a new installation id, so that it never deletes the backups of its original.
 * Ends all sessions, which could have been ended since.
 */
async function becomeNewInstallation(url: string): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query('update installation set installation_id = gen_random_uuid(), made_at = now()');
    await client.query('delete from backup_runs');
    await endSignIns(client);
  });
}

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  return withConnection(url, async (client) => (await client.query<T>(sql)).rows);
}

async function withConnection<T>(url: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await openConnection(url, 'roster restore');
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
