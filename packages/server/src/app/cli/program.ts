import { RosterError } from '@roster/client';
import { CommanderError, Option } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import { describeFailure } from '../supervisor/failure.ts';
import { addAccountCommands } from './commands/access/accounts.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addCountsCommands } from './commands/counts.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { CommandError, exitCodeHelp, exitCodeOf, exitCodes } from './terminal/exit-codes.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addKeyCommands } from './commands/access/keys.ts';
import { addListCommands } from './commands/contacts/lists.ts';
import { addMemberCommands } from './commands/access/members.ts';
import { addUserCommands } from './commands/access/users.ts';
import { addActivityCommands } from './commands/contacts/activities.ts';
import { addAttributeCommands } from './commands/contacts/attributes.ts';
import { addContactCommands } from './commands/contacts/contacts.ts';
import { addSegmentCommands } from './commands/contacts/segments.ts';
import { addSignUpCommands } from './commands/contacts/sign-ups.ts';
import { addAuditLogCommands } from './commands/reports/audit-log.ts';
import { addStatisticsCommands } from './commands/reports/statistics.ts';
import { addSystemCommand } from './commands/reports/system.ts';
import { addBulkChangeCommands } from './commands/work/bulk-changes.ts';
import { addDeliveryCommands } from './commands/work/deliveries.ts';
import { addErasureCommands } from './commands/work/erasures.ts';
import { addEventCommands } from './commands/work/events.ts';
import { addExportScheduleCommands } from './commands/work/export-schedules.ts';
import { addExportsCommands } from './commands/work/exports.ts';
import { addImportsCommands } from './commands/work/imports.ts';
import { addMailCommands } from './commands/work/mails.ts';
import { addRequestCommands } from './commands/work/requests.ts';
import { addRunningCommand } from './commands/work/running.ts';
import { addSubscriptionCommands } from './commands/work/subscriptions.ts';
import { RosterCommand } from './terminal/command.ts';
import { describeFaults, optionsOf, withOptionNames } from './terminal/option-names.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { isBrokenPipe, write, type Terminal } from './terminal/terminal.ts';

/** Runs a command and returns its exit code. `args` are the arguments after the program name. */
export async function runCommandLine(args: readonly string[], terminal: Terminal = process): Promise<number> {
  // When the reader of a pipe exits, the next write emits an error event. Without a listener, that
  // event would crash the process.
  const ignoreBrokenPipe = (error: Error): void => {
    if (!isBrokenPipe(error)) throw error;
  };
  terminal.stdout.on('error', ignoreBrokenPipe);
  const json = args.includes('--json');
  let available: ReadonlySet<string> = new Set();
  try {
    const program = createProgram(terminal, json);
    program.hook('preAction', (_program, command) => {
      available = optionsOf(command);
    });
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (isBrokenPipe(error)) return exitCodes.done;
    // Commander reports --help and --version as errors with exit code 0.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const failure =
      error instanceof CommanderError
        ? new CommandError(exitCodes.usage, error.message.replace(/^error: /, ''))
        : error;
    // Without --json, commander has already printed its own message.
    if (json || failure === error) await report(failure, json, terminal, available);
    return exitCodeOf(failure);
  } finally {
    terminal.stdout.off('error', ignoreBrokenPipe);
  }
}

/**
 * Creates the command line parser with all commands. Commands write to the streams of the terminal.
 * With `json`, commander prints no usage errors; the caller reports them as JSON.
 */
export function createProgram(terminal: Terminal, json = false): RosterCommand {
  const program = new RosterCommand(terminal, 'roster')
    .description('Self-hosted contact and audience store. Settings are environment variables; see docs/config.md.')
    .version(packageFile.version)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void (json || terminal.stderr.write(text)),
    })
    .showHelpAfterError('Add --help to see the options and examples.')
    .exitOverride()
    .addHelpText('after', exitCodeHelp);
  // `serve` and `migrate` are loaded only when needed: they load most of the service.
  program
    .command('serve')
    .description('run the service until you stop it; ROSTER_ROLE selects the processes: all, api or worker')
    .addHelpText('after', '\nExample:\n  ROSTER_ROLE=worker DATABASE_URL=postgres://roster@db/roster roster serve')
    .action(async () => (await import('./commands/serve.ts')).serve());
  program
    .command('migrate')
    .description('migrate the database to the newest schema, then exit; serve also migrates when it starts')
    .addOption(
      new Option(
        '--layout <layout>',
        'distribute the tables over the nodes of a Citus cluster; not ready for production',
      ).choices(['citus']),
    )
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://roster@db/roster roster migrate')
    .action(async ({ layout }) => (await import('./commands/migrate.ts')).migrate(layout));
  addAccountCommands(program);
  addKeyCommands(program);
  addMemberCommands(program);
  addUserCommands(program);
  addContactCommands(program);
  addAttributeCommands(program);
  addListCommands(program);
  addSegmentCommands(program);
  addActivityCommands(program);
  addSignUpCommands(program);
  addImportCommand(program);
  addImportsCommands(program);
  addExportCommand(program);
  addExportsCommands(program);
  addExportScheduleCommands(program);
  addEventCommands(program);
  addSubscriptionCommands(program);
  addBulkChangeCommands(program);
  addErasureCommands(program);
  addRequestCommands(program);
  addRunningCommand(program);
  addDeliveryCommands(program);
  addMailCommands(program);
  addStatisticsCommands(program);
  addAuditLogCommands(program);
  addSystemCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addCountsCommands(program);
  addDoctorCommand(program);
  addCompletion(program);
  return program;
}

/** Writes an error to standard error, as text or as JSON. `available` are the options of the command. */
async function report(
  error: unknown,
  json: boolean,
  terminal: Terminal,
  available: ReadonlySet<string>,
): Promise<void> {
  if (!json) return await write(terminal.stderr, `${textOf(error, available)}\n`);
  const facts =
    error instanceof RosterError
      ? { code: error.code, status: error.status, request_id: error.requestId, errors: error.faults }
      : { code: error instanceof CommandError && error.exitCode === exitCodes.usage ? 'usage' : 'failed' };
  await write(terminal.stderr, `${JSON.stringify({ error: { ...facts, message: messageOf(error) } })}\n`);
}

/** The message of an error for a person, who knows options instead of fields of the API. */
function textOf(error: unknown, available: ReadonlySet<string>): string {
  if (!(error instanceof RosterError)) return messageOf(error);
  return error.code === 'invalid_request' && error.faults.length > 0
    ? describeFaults(error.faults, available)
    : withOptionNames(messageOf(error), available);
}

/** The message of an error, without its stack if the error is not a defect. */
function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof RosterError)) return describeFailure(error);
  // Remove the operation id and the status. They mean nothing to users of the command line.
  const text = error.message.replace(/^\w+: (?:\d{3} )?/, '');
  return error.code === 'unauthorized' ? `${text}\nCheck --token (ROSTER_ADMIN_TOKEN).` : text;
}
