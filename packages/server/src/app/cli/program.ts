import { RosterError } from '@roster/client';
import { Command, CommanderError } from 'commander';
import packageFile from '../../../package.json' with { type: 'json' };
import { describeFailure } from '../supervisor/failure.ts';
import { addAccountCommands } from './commands/accounts.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { CommandError, exitCodeHelp, exitCodeOf, exitCodes } from './terminal/exit-codes.ts';
import { addExportCommand } from './commands/export.ts';
import { addImportCommand } from './commands/import.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addListCommands } from './commands/lists.ts';
import { inOptions } from './terminal/option-names.ts';
import { migrate } from './commands/migrate.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { serve } from './commands/serve.ts';
import { isBrokenPipe, write, type Terminal } from './terminal/terminal.ts';

/** Runs the command line and returns the exit code; `args` are the words after the program's name. */
export async function runCommandLine(args: readonly string[], terminal: Terminal = process): Promise<number> {
  // A reader that goes away shows in whatever writes next; without a listener it would end the process as a defect.
  const ignoreBrokenPipe = (error: Error): void => {
    if (!isBrokenPipe(error)) throw error;
  };
  terminal.stdout.on('error', ignoreBrokenPipe);
  const json = args.includes('--json');
  try {
    await createProgram(terminal, json).parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (isBrokenPipe(error)) return exitCodes.done;
    // --help and --version are no failures.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const failure =
      error instanceof CommanderError
        ? new CommandError(exitCodes.usage, error.message.replace(/^error: /, ''))
        : error;
    // To people, commander has printed its own message by now.
    if (json || failure === error) await report(failure, json, terminal);
    return exitCodeOf(failure);
  } finally {
    terminal.stdout.off('error', ignoreBrokenPipe);
  }
}

/** The commands; whatever they write goes to the streams of the terminal. With `json`, what is wrong with the words is left to the caller to say. */
export function createProgram(terminal: Terminal, json = false): Command {
  const program = new Command('roster')
    .description('Self-hosted contact and audience store. Its settings are environment variables: see docs/config.md.')
    .version(packageFile.version)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void (json || terminal.stderr.write(text)),
    })
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .addHelpText('after', exitCodeHelp);
  program
    .command('serve')
    .description('run the service until it is told to stop; ROSTER_ROLE says which parts')
    .addHelpText('after', '\nExample:\n  ROSTER_ROLE=worker DATABASE_URL=postgres://roster@db/roster roster serve')
    .action(serve);
  program
    .command('migrate')
    .description('bring the database to the newest schema, then end; serve does the same at its start')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://roster@db/roster roster migrate')
    .action(migrate);
  addAccountCommands(program, terminal);
  addKeyCommands(program, terminal);
  addListCommands(program, terminal);
  addImportCommand(program, terminal);
  addExportCommand(program, terminal);
  addBackupCommand(program, terminal);
  addRestoreCommand(program, terminal);
  addDoctorCommand(program, terminal);
  addCompletion(program);
  return program;
}

/** Tells what went wrong, on standard error: for people, or as JSON. */
async function report(error: unknown, json: boolean, terminal: Terminal): Promise<void> {
  if (!json) return await write(terminal.stderr, `${shownMessage(error)}\n`);
  const facts =
    error instanceof RosterError
      ? { code: error.code, status: error.status, request_id: error.requestId, errors: error.faults }
      : { code: error instanceof CommandError && error.exitCode === exitCodes.usage ? 'usage' : 'failed' };
  await write(terminal.stderr, `${JSON.stringify({ error: { ...facts, message: messageOf(error) } })}\n`);
}

/** Messages of the service name fields of the interface; people who typed a command know its options. */
function shownMessage(error: unknown): string {
  return error instanceof RosterError ? inOptions(messageOf(error)) : messageOf(error);
}

/** The operation that a client names first says nothing to people; the credential is the most likely reason of a 401. */
function messageOf(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (!(error instanceof RosterError)) return describeFailure(error);
  const text = error.message.replace(/^\w+: (?:\d{3} )?/, '');
  return error.code === 'unauthorized' ? `${text}\nCheck --token (ROSTER_ADMIN_TOKEN).` : text;
}
