import { Command } from 'commander';

import { ConfigError } from '../config/config.ts';
import { describeFailure } from '../supervisor/failure.ts';
import { migrate } from './migrate.ts';
import { serve } from './serve.ts';

/** Exit codes of every command: 0 done, 1 failed, 2 wrong usage or configuration. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

/** Runs the command line and returns the exit code; `args` are the words after the program's name. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = new Command('roster')
    .description('Self-hosted contact and audience store. Its settings are environment variables: see docs/config.md.')
    .exitOverride((error) => {
      // --help and --version are no failures.
      exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
      throw error;
    });
  program
    .command('serve')
    .description('run the service until it is told to stop; ROSTER_ROLE says which parts')
    .action(serve);
  program
    .command('migrate')
    .description('bring the database to the newest schema, then end; serve does the same at its start')
    .action(migrate);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // commander has printed its own message by now.
    if (exitCode !== exitCodes.done || isHelp(error)) return exitCode;
    process.stderr.write(`${describeFailure(error)}\n`);
    return error instanceof ConfigError ? exitCodes.usage : exitCodes.failed;
  }
  return exitCode;
}

const isHelp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
