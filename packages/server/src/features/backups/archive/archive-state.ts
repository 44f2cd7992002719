import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { loadHistory } from '../store/backup-run-store.ts';
import { exchangeDirectory } from './exchange.ts';

/** The state of the WAL archive of the embedded server, as `doctor` and the metrics show it. */
export interface ArchiveState {
  /** True when the last attempt to archive a WAL file failed. The server then keeps its WAL. */
  readonly isFailing: boolean;
  /** Age of the newest complete base backup in seconds; undefined when there is none. */
  readonly ageSeconds: number | undefined;
  /**
   * Seconds since a base backup became due. One is due a day after the newest complete base backup,
   * or else after the first attempt.
   */
  readonly overdueSeconds: number;
  /** Why the last attempt at a base backup failed; undefined when it did not fail. */
  readonly failure: string | undefined;
}

const daySeconds = 86_400;

/** Reads the state of the archive; undefined for a server without a WAL archive of Roster. */
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
