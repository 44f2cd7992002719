import { sql } from 'kysely';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';
import { BackupError } from './backup-error.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { BackupRunsTable } from '#platform/database/schema/backup-tables.ts';

/** The kinds of backups. */
export type BackupKind = BackupRunsTable['kind'];

/** A backup that begins. */
export interface NewBackupRun extends Pick<BackupRunsTable, 'backup_run_id' | 'kind' | 'place' | 'started_at'> {
  /** The name of a backup that began at a moment. */
  readonly nameAt: (startedAt: Date) => string;
}

/** PostgreSQL's code for a table that does not exist. */
const undefinedTable = '42P01';

/**
 * The id of this installation, which its backups carry: made with the schema, and never restored.
 *
 * Throws a {@link BackupError} when the schema is older than backups.
 */
export async function loadInstallationId(db: Database): Promise<string> {
  try {
    return await readInstallationId(db);
  } catch (error) {
    if (systemErrorCode(error) !== undefinedTable) throw error;
    throw new BackupError(
      'The database does not have the schema of this version of Roster. Start the service, or run `roster migrate`, then try again.',
      { cause: error },
    );
  }
}

async function readInstallationId(db: Database): Promise<string> {
  const { installation_id } = await db.selectFrom('installation').select('installation_id').executeTakeFirstOrThrow();
  return installation_id;
}

/** Writes down that a backup begins, and returns its name. Backups that begin in the same millisecond get different names. */
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

/** Writes down how a backup ended. */
export async function endRun(
  db: Database,
  backupRunId: string,
  end: Pick<BackupRunsTable, 'finished_at' | 'status' | 'error' | 'size'>,
): Promise<void> {
  await db.updateTable('backup_runs').set(end).where('backup_run_id', '=', backupRunId).execute();
}

/** What is known of the backups of one kind. */
export interface BackupHistory {
  /** The newest complete backup. */
  readonly lastGood: EndedRun | undefined;
  /** The newest attempt that has ended, well or not. */
  readonly lastEnded: EndedRun | undefined;
  /** When the first attempt began that is known. */
  readonly firstStartedAt: Date | undefined;
  /** When the installation was made: from then on backups can be missing. */
  readonly installedAt: Date;
}

/** An attempt at a backup that has ended. */
type EndedRun = Pick<BackupRunsTable, 'name' | 'place' | 'started_at' | 'finished_at' | 'status' | 'error' | 'size'>;

/** Reads what is known of the backups of one kind. */
export async function loadHistory(db: Database, kind: BackupKind): Promise<BackupHistory> {
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

/** The backups of the rows that began before a moment, and have not ended. */
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

/** Writes down that the copies of the files that have not ended were interrupted. */
export async function endLostCopies(db: Database, now: Date): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ status: 'failed', finished_at: now, error: interrupted })
    .where('kind', '=', 'files')
    .where('status', '=', 'running')
    .execute();
}

/** The reason of a backup whose process was killed. */
export const interrupted = 'it was interrupted';

/** Forgets what is known of backups before a moment, but for the newest good one of each kind. */
export async function forgetRuns(db: Database, before: Date): Promise<void> {
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
