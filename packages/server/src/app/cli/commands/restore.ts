import type { BackupPlace } from '#platform/config/backup-place.ts';
import type { Config } from '#platform/config/config.ts';
import { explainBackupError, readMoment, readPlace } from './backup-options.ts';
import type { RosterCommand } from '../terminal/command.ts';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { catchInterrupt } from '../terminal/interrupt.ts';
import { createOutput } from '../terminal/output.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Adds `roster restore`, which restores a backup into an empty database, or a WAL archive into a
 * new data directory. Run it on the machine of the service.
 */
export function addRestoreCommand(program: RosterCommand): void {
  const { terminal } = program;
  program
    .command('restore')
    .description('restore a backup into an empty database, or the embedded PostgreSQL to a point in time')
    .option('--from <place>', 'a backup, a directory of backups (restores the newest), or a WAL archive')
    .option(
      '--at <moment>',
      'restore from a WAL archive to this point in time, such as 2026-01-31T14:05:00Z',
      readMoment,
    )
    .option('--json', 'write the result as JSON')
    .addHelpText(
      'after',
      `
The target is the database in DATABASE_URL, or the embedded one in ROSTER_DATA_DIR. It must be empty.
Do not run a service on it during the restore. If you interrupt the restore, the database stays empty.

Examples:
  ROSTER_DATA_DIR=/var/lib/roster-new roster restore --from /var/backups/roster
  roster restore --from s3://backups/roster/roster-1f0c9a7e-20260131T020000123Z
  ROSTER_DATA_DIR=/var/lib/roster-new roster restore --from s3://wal/roster --at 2026-01-31T14:05:00Z`,
    )
    .action((options: RestoreCommandOptions) => runRestoreCommand(terminal, options));
}

interface RestoreCommandOptions {
  readonly from?: string;
  readonly at?: Date;
  readonly json?: boolean;
}

/** The result of a restore: fields for `--json`, and a sentence for people. */
interface Restored {
  readonly facts: object;
  readonly sentence: (seconds: number) => string;
}

async function runRestoreCommand(terminal: Terminal, options: RestoreCommandOptions): Promise<void> {
  const { readConfig } = await import('#platform/config/config.ts');
  const { findArchive } = await import('#features/backups/archive/list-archive.ts');
  const output = createOutput(terminal, options.json === true);
  const missing = 'Say what to restore: --from /var/backups/roster, or --from s3://bucket/prefix.';
  const from = await readPlace('--from', options.from, missing);
  const config = readConfig();
  using interrupt = catchInterrupt();
  const { signal } = interrupt;
  const began = performance.now();
  try {
    const archive = await findArchive(from, config, options.at !== undefined);
    const { facts, sentence } =
      archive === undefined
        ? await restoreNewest(terminal, config, from, signal)
        : await restoreToMoment(terminal, config, archive, options.at, signal);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    await output.result({ ...facts, seconds }, () => `${sentence(seconds)} You can now start the service.`);
  } catch (error) {
    throw await explainBackupError('The restore failed', error, from, signal);
  }
}

async function restoreNewest(
  terminal: Terminal,
  config: Config,
  from: BackupPlace,
  signal: AbortSignal,
): Promise<Restored> {
  const { createLogger } = await import('#platform/observability/logger.ts');
  const { findBackup } = await import('#features/backups/store/find-backup.ts');
  const { shownPlace } = await import('#platform/config/backup-place.ts');
  const { openBackupStore } = await import('#features/backups/store/backup-store.ts');
  const { checkBackup } = await import('#features/backups/copy/check-backup.ts');
  const { openTargetDatabase } = await import('#features/backups/command-database.ts');
  const { requireEmptyDatabase, restoreBackup } = await import('#features/backups/copy/restore-backup.ts');
  const log = createLogger({ ...config, logLevel: 'warn' }, 'restore', process.stderr);
  const place = await findBackup(from, config);
  if (config.databaseUrl !== undefined) await requireEmptyDatabase(config.databaseUrl);
  await using store = openBackupStore(place, config);
  using checking = await startProgress(terminal, 'Checking', 'bytes');
  const backup = await checkBackup(store, shownPlace(place), {
    onProgress: (bytes, total) => checking.update(bytes, total),
    signal,
  });
  checking[Symbol.dispose]();
  await using database = await openTargetDatabase(config, log, signal);
  using progress = await startProgress(terminal, 'Restoring', 'bytes');
  await restoreBackup({
    databaseUrl: database.url,
    backup,
    log,
    onProgress: (bytes, total) => progress.update(bytes, total),
    signal,
  });
  progress[Symbol.dispose]();
  const { taken_at, roster_version, tables } = backup.manifest;
  const rows = tables.reduce((all, table) => all + table.rows, 0);
  return {
    facts: { backup: shownPlace(place), taken_at, roster_version, rows },
    sentence: (seconds) => `Restored the state of ${taken_at}: ${rows.toLocaleString('en')} rows, ${seconds} s.`,
  };
}

async function restoreToMoment(
  terminal: Terminal,
  config: Config,
  archive: BackupPlace,
  at: Date | undefined,
  signal: AbortSignal,
): Promise<Restored> {
  const { createLogger } = await import('#platform/observability/logger.ts');
  const { restoreArchive } = await import('#features/backups/archive/restore-archive.ts');
  const { shownPlace } = await import('#platform/config/backup-place.ts');
  if (config.databaseUrl !== undefined) {
    throw new CommandError(
      exitCodes.usage,
      'A WAL archive can only be restored to the embedded PostgreSQL in ROSTER_DATA_DIR. Unset DATABASE_URL, or restore a backup.',
    );
  }
  using progress = await startProgress(terminal, 'Restoring', 'bytes');
  const { base } = await restoreArchive({
    dataDir: config.dataDir,
    archive,
    config,
    at,
    log: createLogger({ ...config, logLevel: 'warn' }, 'restore', process.stderr),
    signal,
    onProgress: (bytes, total) => progress.update(bytes, total),
  });
  progress[Symbol.dispose]();
  const moment = at?.toISOString();
  const what = moment === undefined ? 'the archive to its end' : `the state of ${moment}`;
  return {
    facts: { archive: shownPlace(archive), base_backup: base.name, at: moment ?? null },
    sentence: (seconds) => `Restored ${what}, ${seconds} s.`,
  };
}
