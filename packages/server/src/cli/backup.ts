import { InvalidArgumentError, Option, type Command } from 'commander';
import pino from 'pino';
import { catchInterrupt } from './interrupt.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { startProgress } from './progress.ts';
import type { BackupPlace } from '../backups/backup-place.ts';
import type { Terminal } from './terminal.ts';

/** `roster backup` and `roster restore`: the database to files, and back. They work on the database itself, on the machine of the service. */
export function addBackupCommands(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('copy one moment of the database to a directory or to S3, while the service runs')
    .addOption(
      new Option('--to <place>', 'directory, or s3://bucket/prefix; the backup gets a directory of its own in it')
        .env('ROSTER_BACKUP_TO')
        .makeOptionMandatory(),
    )
    .option('--json', 'write JSON')
    .addHelpText(
      'after',
      `
Run it on the machine of the service, with the same settings. It needs no other program.

Examples:
  roster backup --to /var/backups/roster
  roster backup --to s3://backups/roster`,
    )
    .action((options: { to: string; json?: boolean }) => runBackupCommand(terminal, options));
  program
    .command('restore')
    .description('restore a backup into an empty database, or the embedded PostgreSQL to a moment')
    .requiredOption(
      '--from <place>',
      'a backup, or the place of several, of which the newest is taken; or a WAL archive',
    )
    .option('--at <moment>', 'restore from a WAL archive to this moment, such as 2026-01-31T14:05:00Z', readMoment)
    .option('--json', 'write JSON')
    .addHelpText(
      'after',
      `
The database is the one of DATABASE_URL, or the embedded one in ROSTER_DATA_DIR. It must be empty, and
no service may run on it. A restore that is interrupted leaves it empty.

Examples:
  ROSTER_DATA_DIR=/var/lib/roster-new roster restore --from /var/backups/roster
  roster restore --from s3://backups/roster/roster-1f0c9a7e-20260131T020000123Z
  ROSTER_DATA_DIR=/var/lib/roster-new roster restore --from s3://wal/roster --at 2026-01-31T14:05:00Z`,
    )
    .action((options: RestoreCommandOptions) => runRestoreCommand(terminal, options));
}

interface RestoreCommandOptions {
  readonly from: string;
  readonly at?: Date;
  readonly json?: boolean;
}

function readMoment(text: string): Date {
  const moment = new Date(text);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(moment.getTime()))
    return moment;
  throw new InvalidArgumentError('It must be a moment with its time zone, such as 2026-01-31T14:05:00Z.');
}

/** Warnings only, and to standard error: the result goes to standard output. */
const commandLog = () =>
  pino(
    { level: 'warn', base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );

async function runBackupCommand(terminal: Terminal, options: { to: string; json?: boolean }): Promise<void> {
  // Not before they are needed: every command and the service itself begin here.
  const { readConfig } = await import('../config/config.ts');
  const { openPool } = await import('../db/database.ts');
  const { runBackup } = await import('../backups/run-backup.ts');
  const { openExistingDatabase } = await import('../backups/own-database.ts');
  const output = createOutput(terminal, options.json === true);
  const place = await placeOf('--to', options.to);
  const config = readConfig();
  const log = commandLog();
  using interrupt = catchInterrupt();
  const began = performance.now();
  await using database = await openExistingDatabase(config, log, interrupt.signal);
  const pool = openPool({ url: database.url, name: 'roster backup', size: 2, log });
  try {
    using progress = await startProgress(terminal, 'Backing up', 'bytes');
    const done = await runBackup({
      databaseUrl: database.url,
      pool,
      place,
      config,
      now: () => new Date(),
      onProgress: (bytes, total) => progress.update(bytes, total),
      signal: interrupt.signal,
    });
    progress[Symbol.dispose]();
    const { name, shown, rows, bytes } = done;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const facts = { name, backup: shown, taken_at: done.manifest.taken_at, rows, bytes, seconds };
    await output.result(
      facts,
      () =>
        `The backup ${shown} is complete: ${rows.toLocaleString('en')} rows, ${bytes.toLocaleString('en')} bytes, ${seconds} s.`,
    );
  } catch (error) {
    throw explained('The backup could not be made', error);
  } finally {
    await pool.end();
  }
}

async function runRestoreCommand(terminal: Terminal, options: RestoreCommandOptions): Promise<void> {
  const { readConfig } = await import('../config/config.ts');
  const { findBackup } = await import('../backups/find-backup.ts');
  const { findArchive } = await import('../backups/archive/list-archive.ts');
  const { openTargetDatabase } = await import('../backups/own-database.ts');
  const { shownPlace } = await import('../backups/backup-place.ts');
  const { checkBackup } = await import('../backups/check-backup.ts');
  const { restoreBackup } = await import('../backups/restore-backup.ts');
  const { openStoreAt } = await import('../exports/files/open-file-store.ts');
  const output = createOutput(terminal, options.json === true);
  const given = await placeOf('--from', options.from);
  const config = readConfig();
  const log = commandLog();
  using interrupt = catchInterrupt();
  const began = performance.now();
  try {
    const archive = await findArchive(given, config, options.at !== undefined);
    if (archive !== undefined) return await restoreFromArchive(terminal, options, archive, interrupt.signal);
    const place = await findBackup(given, config);
    await using store = openStoreAt(place, config);
    const { signal } = interrupt;
    using checking = await startProgress(terminal, 'Checking', 'bytes');
    const backup = await checkBackup(store, shownPlace(place), {
      onProgress: (bytes, total) => checking.update(bytes, total),
      signal,
    });
    checking[Symbol.dispose]();
    const { manifest } = backup;
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
    const rows = manifest.tables.reduce((all, table) => all + table.rows, 0);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const { taken_at, roster_version } = manifest;
    await output.result(
      { backup: shownPlace(place), taken_at, roster_version, rows, seconds },
      () =>
        `The state of ${taken_at} is restored: ${rows.toLocaleString('en')} rows, ${seconds} s. Start the service on it.`,
    );
  } catch (error) {
    throw explained('The backup could not be restored', error);
  }
}

async function restoreFromArchive(
  terminal: Terminal,
  { at, json }: RestoreCommandOptions,
  archive: BackupPlace,
  signal: AbortSignal,
): Promise<void> {
  const { readConfig } = await import('../config/config.ts');
  const { restoreArchive } = await import('../backups/archive/restore-archive.ts');
  const { shownPlace } = await import('../backups/backup-place.ts');
  const config = readConfig();
  if (config.databaseUrl !== undefined) {
    throw new CommandError(
      exitCodes.usage,
      'A WAL archive restores the embedded PostgreSQL in ROSTER_DATA_DIR. Unset DATABASE_URL, or restore a backup.',
    );
  }
  const began = performance.now();
  using progress = await startProgress(terminal, 'Restoring', 'bytes');
  const { base } = await restoreArchive({
    dataDir: config.dataDir,
    archive,
    config,
    at,
    log: commandLog(),
    signal,
    onProgress: (bytes, total) => progress.update(bytes, total),
  });
  progress[Symbol.dispose]();
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const moment = at?.toISOString();
  await createOutput(terminal, json === true).result(
    { archive: shownPlace(archive), base_backup: base.name, at: moment ?? null, seconds },
    () =>
      `${moment === undefined ? 'The end of the archive' : `The state of ${moment}`} is restored, ${seconds} s. Start the service on it.`,
  );
}

async function placeOf(option: string, text: string) {
  const { readBackupPlace } = await import('../backups/backup-place.ts');
  const { pathFromCaller } = await import('./invoked-from.ts');
  try {
    return readBackupPlace(text.includes('://') ? text : pathFromCaller(text));
  } catch (error) {
    throw new CommandError(exitCodes.usage, `${option} ${(error as Error).message}.`, { cause: error });
  }
}

/** An error for people: as it is when its message says everything, else with what failed. Stores and servers say the rest in a line. */
function explained(what: string, error: unknown): unknown {
  const isExplained =
    error instanceof CommandError ||
    (error instanceof Error &&
      ['BackupError', 'EmbeddedPostgresError', 'ConfigError', 'MigrationError'].includes(error.name));
  if (isExplained || !(error instanceof Error)) return error;
  const reason =
    error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0].message : error.message;
  return new CommandError(exitCodes.failed, `${what}: ${reason}.`, { cause: error });
}
