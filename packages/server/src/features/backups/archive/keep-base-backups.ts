import path from 'node:path';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '#platform/config/config.ts';
import { openDatabase, openPool, type Database } from '#platform/database/connection/database.ts';
import type { EmbeddedPostgres } from '@roster/embedded-postgres';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { beginRun, endLostCopies, endRun, forgetRuns } from '../store/backup-run-store.ts';
import { explainStorage, openBackupStore } from '../store/backup-store.ts';
import { manifestKey } from '../store/manifest.ts';
import { reasonOf, removeBackup } from '../copy/run-backup.ts';
import { requireArchiveEnd } from './archive-end.ts';
import { ownArchive } from './archive-id.ts';
import { listBases } from './list-archive.ts';
import { writeBaseBackup } from './base-backup.ts';
import { forgetWalBefore } from './wal-files.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A base backup a day: a restore has at most a day of WAL to apply. */
const interval = day;

/** What the base backups of a service need. */
export interface BaseBackupKeeper {
  readonly config: Config;
  readonly postgres: EmbeddedPostgres;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Keeps the archive of the embedded server restorable while it runs: a copy of its files once a day, without which WAL is of no use, and nothing
 * that is older than the setting allows. Disposing it ends a copy under way.
 */
export function keepBaseBackups(keeper: BaseBackupKeeper): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const onError = (error: unknown): void => {
    if (!signal.aborted) keeper.log.error({ err: describeError(error) }, 'a base backup failed; it is tried again');
  };
  const pauses = { interval: 10 * minute, first: 15 * minute, ref: false };
  const running = repeatUntilAborted(() => keepArchive(keeper, signal), { signal, ...pauses, onError });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service was stopped'));
      await running;
    },
  };
}

/** Makes a base backup if the newest is older than a day, and deletes what is older than the setting allows. */
export async function keepArchive(keeper: BaseBackupKeeper, signal: AbortSignal): Promise<void> {
  const { config, postgres, log, now } = keeper;
  const home = path.join(config.dataDir, 'postgres');
  const archive = await ownArchive(home, config.walArchive!);
  await using store = openBackupStore(archive, config);
  // Before a copy of the database fills another disk.
  await requireArchiveEnd(home, archive, store);
  const newest = (await listBases(archive, config)).bases[0];
  if (newest !== undefined && now().getTime() - newest.takenAt.getTime() < interval) return;
  const pool = openPool({ url: postgres.url, name: 'roster base backup', size: 1, log });
  try {
    const db = openDatabase(pool);
    // Only the service of this data directory makes base backups, one at a time: what has not ended was killed.
    await endLostCopies(db, now());
    await makeBaseBackup(keeper, db, archive, signal);
    await forgetOld(keeper, db, archive);
  } finally {
    await pool.end();
  }
}

async function makeBaseBackup(
  { config, postgres, log, now }: BaseBackupKeeper,
  db: Database,
  archive: BackupPlace,
  signal: AbortSignal,
): Promise<void> {
  const id = uuidv7();
  const home = path.join(config.dataDir, 'postgres');
  const name = await beginRun(db, {
    backup_run_id: id,
    kind: 'files',
    nameAt: (startedAt) => `base-${startedAt.toISOString().replaceAll(/[-:.]/g, '')}`,
    place: shownPlace(archive),
    started_at: now(),
  });
  const place = placeWithin(archive, name);
  try {
    await using store = openBackupStore(place, config);
    const source = { databaseUrl: postgres.url, cluster: postgres.clusterDir, home };
    const size = await writeBaseBackup(source, store, signal);
    await endRun(db, id, { status: 'completed', finished_at: now(), error: null, size });
    log.info({ backup: shownPlace(place), bytes: size }, 'a base backup is complete');
  } catch (fault) {
    await removeBackup(place, config).catch(() => undefined);
    const error = explainStorage(archive, fault);
    // The database may be what failed; the first error is the one to tell.
    await endRun(db, id, { status: 'failed', finished_at: now(), error: reasonOf(error), size: null }).catch(
      () => undefined,
    );
    throw error;
  }
}

/** Deletes base backups that no moment within the retention needs, those that were interrupted, and the WAL before the oldest one that stays. */
async function forgetOld({ config, now }: BaseBackupKeeper, db: Database, archive: BackupPlace): Promise<void> {
  const oldest = new Date(now().getTime() - config.backupRetentionDays * day);
  const { bases } = await listBases(archive, config);
  // The newest one before the begin of the retention is where its first days start from.
  const needed = bases.findIndex(({ takenAt }) => takenAt <= oldest);
  const kept = needed === -1 ? bases : bases.slice(0, needed + 1);
  const last = kept.at(-1);
  if (last === undefined) return;
  await using store = openBackupStore(archive, config);
  const keys = (await store.list('base-')).map(({ key }) => key);
  const names = new Set(keys.map((key) => key.split('/')[0]!));
  const torn = [...names].filter((name) => !keys.includes(`${name}/${manifestKey}`));
  const old = bases.slice(kept.length).map(({ name }) => name);
  for (const name of [...torn, ...old]) await removeBackup(placeWithin(archive, name), config);
  await forgetWalBefore(store, last.manifest.first_wal);
  await forgetRuns(db, oldest);
}
