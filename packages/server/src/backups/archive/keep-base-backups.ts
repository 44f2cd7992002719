import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../config/config.ts';
import { openDatabase, openPool } from '../../db/database.ts';
import type { EmbeddedPostgres } from '../../db/embedded/server.ts';
import { openStoreAt } from '../../exports/files/open-file-store.ts';
import { describeError } from '../../observability/describe-error.ts';
import { placeWithin, shownPlace, type BackupPlace } from '../backup-place.ts';
import { beginRun, endRun } from '../backup-run-store.ts';
import { removeBackup } from '../run-backup.ts';
import { archiveName } from './archive-id.ts';
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
}

/**
 * Keeps the archive of the embedded server restorable while it runs: a copy of its files once a day, without which WAL is of no use, and nothing
 * that is older than the setting allows. Disposing it ends a copy under way.
 */
export function keepBaseBackups({ config, postgres, log }: BaseBackupKeeper): AsyncDisposable {
  const stopping = new AbortController();
  const running = (async () => {
    for (let pause = 0; !stopping.signal.aborted;) {
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await keepArchive({ config, postgres, log }, stopping.signal);
        pause = minute;
      } catch (error) {
        if (!stopping.signal.aborted)
          log.error({ err: describeError(error) }, 'a base backup failed; it is tried again');
        pause = 15 * minute;
      }
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service was stopped'));
      await running;
    },
  };
}

/** Makes a base backup if the newest is older than a day, and deletes what is older than the setting allows. */
export async function keepArchive({ config, postgres, log }: BaseBackupKeeper, signal: AbortSignal): Promise<void> {
  const home = path.join(config.dataDir, 'postgres');
  const archive = placeWithin(config.walArchive!, await archiveName(home, config.walArchive!));
  const newest = (await listBases(archive, config))[0];
  if (newest !== undefined && Date.now() - newest.takenAt.getTime() < interval) return;
  await makeBaseBackup({ config, postgres, log }, archive, signal);
  await forgetOld(config, archive);
}

async function makeBaseBackup(
  { config, postgres, log }: BaseBackupKeeper,
  archive: BackupPlace,
  signal: AbortSignal,
): Promise<void> {
  const pool = openPool({ url: postgres.url, name: 'roster base backup', size: 1, log });
  const db = openDatabase(pool);
  const id = uuidv7();
  const name = await beginRun(db, {
    backup_run_id: id,
    kind: 'files',
    nameAt: (startedAt) => `base-${startedAt.toISOString().replaceAll(/[-:.]/g, '')}`,
    place: shownPlace(archive),
    started_at: new Date(),
  });
  const place = placeWithin(archive, name);
  try {
    await using store = openStoreAt(place, config);
    const source = {
      databaseUrl: postgres.url,
      cluster: postgres.clusterDir,
      home: path.join(config.dataDir, 'postgres'),
    };
    const size = await writeBaseBackup(source, store, signal);
    await endRun(db, id, { status: 'completed', finished_at: new Date(), error: null, size });
    log.info({ backup: shownPlace(place), bytes: size }, 'a base backup is complete');
  } catch (error) {
    await removeBackup(place, config).catch(() => undefined);
    const reason = error instanceof Error ? error.message.split('\n')[0]!.slice(0, 500) : String(error);
    await endRun(db, id, { status: 'failed', finished_at: new Date(), error: reason, size: null }).catch(
      () => undefined,
    );
    throw error;
  } finally {
    await pool.end();
  }
}

/** Deletes base backups that no moment within the retention needs, and the WAL before the oldest one that stays. */
async function forgetOld(config: Config, archive: BackupPlace): Promise<void> {
  const oldest = Date.now() - config.backupRetentionDays * day;
  const bases = await listBases(archive, config);
  // The newest one before the begin of the retention is where its first days start from.
  const needed = bases.findIndex(({ takenAt }) => takenAt.getTime() <= oldest);
  const last = needed === -1 ? bases.at(-1) : bases[needed];
  if (last === undefined) return;
  for (const { name } of bases.slice(bases.indexOf(last) + 1)) await removeBackup(placeWithin(archive, name), config);
  await using store = openStoreAt(archive, config);
  await forgetWalBefore(store, last.manifest.first_wal);
}
