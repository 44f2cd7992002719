import path from 'node:path';
import { createOperatorClient, type AccountOperator, type OperatorClient } from '@roster/client';
import { Option, InvalidArgumentError, type Command } from 'commander';
import { readConfig, type Config } from '#platform/config/config.ts';
import { readTokenFile } from '../../supervisor/admin-token.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { createOutput, type Output } from './output.ts';
import { shellWord } from './shell-word.ts';
import type { Terminal } from './terminal.ts';

/** Where the service is, and who asks: the options of every command that calls it. */
export interface ServiceOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** The same for commands on one account. */
export interface AccountOptions extends ServiceOptions {
  readonly account?: number;
}

/** A command that talks to the service. */
export interface Session {
  readonly output: Output;
  readonly terminal: Terminal;
  readonly url: string;
  readonly operator: OperatorClient;
  /** The account of `--account`, else the only one that there is. */
  readonly account: () => Promise<AccountOperator>;
}

/** Adds the options of commands that call the service. */
export function withService(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'address of the service (default: the one on this machine)').env('ROSTER_URL'))
    .addOption(
      new Option(
        '--token <token>',
        'operator token; the environment is the better place (default: the one in the data directory, for the service on this machine)',
      ).env('ROSTER_ADMIN_TOKEN'),
    )
    .option('--json', 'write JSON');
}

/** Adds the options of commands on one account. */
export function withAccount(command: Command): Command {
  return withService(command).addOption(
    new Option('--account <account_id>', 'number of the account (default: the only one)')
      .env('ROSTER_ACCOUNT')
      .argParser(positiveInteger),
  );
}

/** Opens the session of a command. Throws a {@link CommandError} when nobody says which service or token. */
export async function openSession(terminal: Terminal, options: AccountOptions): Promise<Session> {
  const url = options.url ?? localUrl();
  const token = options.token ?? (options.url === undefined ? await localToken() : undefined);
  if (token === undefined) {
    throw new CommandError(
      exitCodes.usage,
      options.url === undefined
        ? 'There is no operator token: set ROSTER_ADMIN_TOKEN, or start the service first, which makes one in the data directory (ROSTER_DATA_DIR).'
        : 'There is no operator token: set ROSTER_ADMIN_TOKEN to the one of the service at --url (ROSTER_URL).',
    );
  }
  const operator = openOperator(url, token);
  return {
    output: createOutput(terminal, options.json === true),
    terminal,
    url,
    operator,
    async account() {
      if (options.account !== undefined) return operator.account(options.account);
      const found = await operator.accounts.list({ limit: 2 }).take(2);
      if (found.length === 1) return operator.account(found[0]!.account_id);
      const problem = found.length === 0 ? 'There is no account.' : 'There are several accounts.';
      throw new CommandError(
        exitCodes.usage,
        `${problem} Name one with --account; \`roster accounts list\` shows them.`,
      );
    },
  };
}

/**
 * The options that name the same account of the same service in a command that is shown. An address from the environment is there for that
 * command, too.
 */
export function sameAccount(command: Command, { accountId }: AccountOperator): string {
  const { url } = command.opts<ServiceOptions>();
  const typed = url !== undefined && command.getOptionValueSource('url') === 'cli';
  return `--account ${accountId}${typed ? ` --url ${shellWord(url)}` : ''}`;
}

function openOperator(url: string, token: string): OperatorClient {
  try {
    return createOperatorClient({ url, token });
  } catch (error) {
    throw new CommandError(exitCodes.usage, `--url (ROSTER_URL): ${(error as Error).message}`, { cause: error });
  }
}

/** Where a service listens that was started here with the same settings. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'> = readConfig()): string {
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

/** The token that the service on this machine made. It is never sent anywhere else. */
async function localToken(): Promise<string | undefined> {
  return readTokenFile(path.join(readConfig().dataDir, 'admin-token'));
}

/** Reads a number of a thing from the command line. */
export function positiveInteger(text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a positive integer.');
}

/** For options that can be given several times. */
export const gather = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];
