import { sql } from 'kysely';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { BackupError } from './backup-error.ts';
import { isMissingTable, type Database } from '#platform/database/connection/database.ts';
import type { BackupRunsTable } from '#platform/database/schema/tables/backups.ts';

/** A backup that begins. */
export interface NewBackupRun extends Pick<BackupRunsTable, 'backup_run_id' | 'kind' | 'place' | 'started_at'> {
  /** Returns the name for a backup that begins at a time. */
  readonly nameAt: (startedAt: Date) => string;
}

/**
 * Loads the id of this installation, which is a part of the names of its backups. The id is created
 * with the schema, and never restored.
 *
 * Throws a {@link BackupError} when the schema is too old for backups.
 */
export async function loadInstallationId(db: Database): Promise<string> {
  try {
    return (await db.selectFrom('installation').select('installation_id').executeTakeFirstOrThrow()).installation_id;
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    throw new BackupError(
      'The database does not have the schema of this version of Roster. Start the service, or run `roster migrate`, then try again.',
      { cause: error },
    );
  }
}

/** Stores that a backup begins, and returns its unique name. */
export async function beginRun(db: Database, { nameAt, ...run }: NewBackupRun): Promise<string> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.backups}, 1)`.execute(transaction);
    for (let startedAt = run.started_at; ; startedAt = new Date(startedAt.getTime() + 1)) {
      const name = nameAt(startedAt);
      const taken = transaction.selectFrom('backup_runs').select('name').where('name', '=', name);
      if ((await taken.executeTakeFirst()) !== undefined) continue;
      const begun = {
        ...run,
        name,
        started_at: startedAt,
        status: 'running',
        finished_at: null,
        error: null,
        size: null,
      } as const;
      await transaction.insertInto('backup_runs').values(begun).execute();
      return name;
    }
  });
}

/** Stores the end of a backup. */
export async function endRun(
  db: Database,
  backupRunId: string,
  end: Pick<BackupRunsTable, 'finished_at' | 'status' | 'error' | 'size'>,
): Promise<void> {
  await db.updateTable('backup_runs').set(end).where('backup_run_id', '=', backupRunId).execute();
}

/** The history of the backups of one kind. */
export interface BackupHistory {
  /** The newest complete backup. */
  readonly lastGood: EndedRun | undefined;
  /** The newest attempt that has ended, complete or failed. */
  readonly lastEnded: EndedRun | undefined;
  /** Start of the oldest known attempt. */
  readonly firstStartedAt: Date | undefined;
  /** Time when the installation was created. Backups can be due from then on. */
  readonly installedAt: Date;
}

type EndedRun = Pick<BackupRunsTable, 'name' | 'place' | 'started_at' | 'finished_at' | 'status' | 'error' | 'size'>;

/** Loads the history of the backups of one kind. */
export async function loadHistory(db: Database, kind: BackupRunsTable['kind']): Promise<BackupHistory> {
  const newest = (statuses: readonly BackupRunsTable['status'][]): Promise<EndedRun | undefined> =>
    db
      .selectFrom('backup_runs')
      .select(['name', 'place', 'started_at', 'finished_at', 'status', 'error', 'size'])
      .where('kind', '=', kind)
      .where('status', 'in', statuses)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
  const { made_at: installedAt } = await db.selectFrom('installation').select('made_at').executeTakeFirstOrThrow();
  const first = await db
    .selectFrom('backup_runs')
    .select('started_at')
    .where('kind', '=', kind)
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst();
  return {
    lastGood: await newest(['completed']),
    lastEnded: await newest(['completed', 'failed']),
    firstStartedAt: first?.started_at,
    installedAt,
  };
}

/** Loads the backups of the database that began before a time and have not ended. */
export async function loadLostRuns(
  db: Database,
  before: Date,
): Promise<Pick<BackupRunsTable, 'backup_run_id' | 'name' | 'place' | 'started_at'>[]> {
  return db
    .selectFrom('backup_runs')
    .select(['backup_run_id', 'name', 'place', 'started_at'])
    .where('kind', '=', 'database')
    .where('status', '=', 'running')
    .where('started_at', '<', before)
    .execute();
}

/** Stores that the base backups that have not ended were interrupted. */
export async function endLostBaseBackups(db: Database, now: Date): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ status: 'failed', finished_at: now, error: interrupted })
    .where('kind', '=', 'files')
    .where('status', '=', 'running')
    .execute();
}

/** The error of a backup whose process was killed. */
export const interrupted = 'it was interrupted';

/** Deletes the history of backups before a time, except the newest complete backup of each kind. */
export async function deleteRuns(db: Database, before: Date): Promise<void> {
  await db
    .deleteFrom('backup_runs')
    .where('started_at', '<', before)
    .where('status', '<>', 'running')
    .where('backup_run_id', 'not in', (eb) =>
      eb
        .selectFrom('backup_runs')
        .distinctOn('kind')
        .select('backup_run_id')
        .where('status', '=', 'completed')
        .orderBy('kind')
        .orderBy('started_at', 'desc'),
    )
    .execute();
}
