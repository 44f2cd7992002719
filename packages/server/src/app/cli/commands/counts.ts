import type { Differences } from '#features/statistics/recount.ts';
import type { RosterCommand } from '../terminal/command.ts';
import { CommandError, exitCodes } from '../terminal/exit-codes.ts';
import { catchInterrupt } from '../terminal/interrupt.ts';
import { createOutput } from '../terminal/output.ts';
import { positiveInteger } from '../terminal/session.ts';
import { table } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface CountsOptions {
  readonly account?: number;
  readonly json?: boolean;
}

/** Adds `roster counts`: check and rebuild. They connect to the database, without the service. */
export function addCountsCommands(program: RosterCommand): void {
  const { terminal } = program;
  const counts = program.command('counts').description('the counts from which statistics are made');
  const add = (name: string, description: string, isCorrected: boolean): RosterCommand =>
    counts
      .command(name)
      .description(description)
      .option('--account <number>', 'only this account (default: all accounts)', positiveInteger)
      .option('--json', 'write the result as JSON')
      .addHelpText(
        'after',
        `
Run it on the machine of the service, with the same settings. The service can keep running.

Example:
  roster counts ${name} --account 1`,
      )
      .action((options: CountsOptions) => runCountsCommand(terminal, options, isCorrected));
  add('check', 'compare the counts with the contacts and activities; change nothing', false);
  add('rebuild', 'compare the counts with the contacts and activities, and correct them', true);
}

interface AccountDifferences extends Differences {
  readonly account_id: number;
}

async function runCountsCommand(terminal: Terminal, options: CountsOptions, isCorrected: boolean): Promise<void> {
  // Loaded only when needed, so that other commands start faster.
  const { readConfig } = await import('#platform/config/config.ts');
  const { createLogger } = await import('#platform/observability/logger.ts');
  const { openDatabase, openPool } = await import('#platform/database/connection/database.ts');
  const { allAccounts, recount } = await import('#features/statistics/recount.ts');
  const { openExistingDatabase } = await import('#features/backups/command-database.ts');
  const output = createOutput(terminal, options.json === true);
  const config = readConfig();
  const log = createLogger({ ...config, logLevel: 'warn' }, 'counts', process.stderr);
  using interrupt = catchInterrupt();
  const { signal } = interrupt;
  await using database = await openExistingDatabase(config, log, signal);
  await using open = new AsyncDisposableStack();
  const pool = open.adopt(openPool({ url: database.url, name: 'roster counts', size: 2, log }), (own) => own.end());
  const all = await allAccounts(openDatabase(pool));
  const { account } = options;
  if (account !== undefined && !all.includes(account)) {
    throw new CommandError(exitCodes.refused, `There is no account ${account}.`);
  }
  const found: AccountDifferences[] = [];
  for (const accountId of account === undefined ? all : [account]) {
    signal.throwIfAborted();
    found.push({ account_id: accountId, ...(await recount(pool, { accountId, at: new Date(), isCorrected, signal })) });
  }
  const wrong = found.filter((one) => one.contacts + one.attributes + one.activities > 0);
  await output.result({ accounts: found.length, corrected: isCorrected, wrong }, () =>
    wrong.length === 0
      ? 'All counts are right.'
      : table(
          output,
          ['ACCOUNT', 'CONTACTS', 'ATTRIBUTES', 'ACTIVITIES'],
          wrong.map((one) => [one.account_id, one.contacts, one.attributes, one.activities]),
        ),
  );
  if (wrong.length > 0 && !isCorrected) {
    throw new CommandError(exitCodes.failed, 'Some counts are wrong. Correct them with: roster counts rebuild');
  }
}
