import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { loadHistory } from '../store/backup-run-store.ts';
import { exchangeDirectory } from './exchange.ts';

/** How the WAL archive of the embedded server is: what `doctor` and the metrics show. */
export interface ArchiveState {
  /** The last attempt to archive a file of the WAL failed; the server keeps all of it until one succeeds. */
  readonly isFailing: boolean;
  /** Age of the last complete base backup in seconds; undefined when there is none yet. */
  readonly ageSeconds: number | undefined;
  /** For how long a base backup has been missing: one a day is made. Counted from the first attempt when none is complete. */
  readonly overdueSeconds: number;
  /** The last attempt at a base backup that ended has failed, and why. */
  readonly failure: string | undefined;
}

const daySeconds = 86_400;

/** Reads how the archive is; undefined for a server that Roster does not archive. */
export async function readArchiveState(db: Database, now: Date): Promise<ArchiveState | undefined> {
  const { rows } = await sql<{ is_failing: boolean }>`
    select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as is_failing from pg_stat_archiver
    where current_setting('archive_mode') <> 'off' and strpos(current_setting('archive_command'), ${exchangeDirectory}) > 0`.execute(
    db,
  );
  if (rows.length === 0) return undefined;
  const { lastGood, lastEnded, firstStartedAt } = await loadHistory(db, 'files');
  const since = (moment: Date | undefined): number | undefined =>
    moment === undefined ? undefined : Math.max(0, (now.getTime() - moment.getTime()) / 1000);
  const ageSeconds = since(lastGood?.started_at);
  return {
    isFailing: rows[0]!.is_failing,
    ageSeconds,
    overdueSeconds: Math.max(0, (ageSeconds ?? since(firstStartedAt) ?? 0) - daySeconds),
    failure: lastEnded?.status === 'failed' ? (lastEnded.error ?? '') : undefined,
  };
}
