import { Option } from 'commander';
import { explainBackupError, readPlace } from './backup-options.ts';
import type { RosterCommand } from '../terminal/command.ts';
import { catchInterrupt } from '../terminal/interrupt.ts';
import { createOutput } from '../terminal/output.ts';
import { startProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Adds `roster backup`. It connects to the database directly, without the service. */
export function addBackupCommand(program: RosterCommand): void {
  const { terminal } = program;
  program
    .command('backup')
    .description('back up the database to a directory or to S3; the service can keep running')
    .addOption(
      new Option('--to <place>', 'directory or s3://bucket/prefix; the backup is written to a new directory in it').env(
        'ROSTER_BACKUP_TO',
      ),
    )
    .option('--json', 'write the result as JSON')
    .addHelpText(
      'after',
      `
Run it on the machine of the service, with the same settings. You do not need pg_dump.

Examples:
  roster backup --to /var/backups/roster
  roster backup --to s3://backups/roster`,
    )
    .action((options: BackupCommandOptions) => runBackupCommand(terminal, options));
}

interface BackupCommandOptions {
  readonly to?: string;
  readonly json?: boolean;
}

async function runBackupCommand(terminal: Terminal, options: BackupCommandOptions): Promise<void> {
  // Loaded only when needed, so that other commands start faster.
  const { readConfig } = await import('#platform/config/config.ts');
  const { createLogger } = await import('#platform/observability/logger.ts');
  const { openPool } = await import('#platform/database/connection/database.ts');
  const { runBackup } = await import('#features/backups/copy/run-backup.ts');
  const { openExistingDatabase } = await import('#features/backups/command-database.ts');
  const output = createOutput(terminal, options.json === true);
  const missing =
    'Say where the backup goes: --to /var/backups/roster, or --to s3://bucket/prefix. You can also set ROSTER_BACKUP_TO.';
  const place = await readPlace('--to', options.to, missing);
  const config = readConfig();
  const log = createLogger({ ...config, logLevel: 'warn' }, 'backup', process.stderr);
  using interrupt = catchInterrupt();
  const { signal } = interrupt;
  const began = performance.now();
  try {
    await using database = await openExistingDatabase(config, log, signal);
    await using open = new AsyncDisposableStack();
    const pool = open.adopt(openPool({ url: database.url, name: 'roster backup', size: 2, log }), (own) => own.end());
    using progress = await startProgress(terminal, 'Backing up', 'bytes');
    const done = await runBackup({
      databaseUrl: database.url,
      pool,
      place,
      config,
      now: () => new Date(),
      onProgress: (bytes, total) => progress.update(bytes, total),
      signal,
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
    throw await explainBackupError('The backup failed', error, place, signal);
  }
}
