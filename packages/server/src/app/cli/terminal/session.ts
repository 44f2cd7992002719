import path from 'node:path';
import { createOperatorClient, type AccountOperator, type OperatorClient } from '@roster/client';
import { Option, InvalidArgumentError, type Command } from 'commander';
import { readConfig, type Config } from '#platform/config/config.ts';
import { urlOfAddress } from '#platform/config/public-url.ts';
import { readTokenFile } from '../../supervisor/admin-token.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { createOutput, type Output } from './output.ts';
import { quoteForShell } from './shell.ts';
import type { Terminal } from './terminal.ts';

/** Options of all commands that call the service. */
export interface ServiceOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** Options of all commands that work on one account. */
export interface AccountOptions extends ServiceOptions {
  readonly account?: number;
}

/** The connection of a command to the service. */
export interface Session {
  readonly output: Output;
  readonly url: string;
  readonly operator: OperatorClient;
  /** Returns the account of `--account`, or the only account of the service. */
  readonly account: () => Promise<AccountOperator>;
}

/** Adds the options of commands that call the service. */
export function withService(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'address of the service (default: on this machine)').env('ROSTER_URL'))
    .addOption(
      new Option(
        '--token <token>',
        'operator token; safer in the environment variable (default for the service on this machine: the token in the data directory)',
      ).env('ROSTER_ADMIN_TOKEN'),
    )
    .option('--json', 'write the result as JSON');
}

/** Adds the options of commands on one account. */
export function withAccount(command: Command): Command {
  return withService(command).addOption(
    new Option('--account <account_id>', 'number of the account (default: the only account)')
      .env('ROSTER_ACCOUNT')
      .argParser(positiveInteger),
  );
}

/** Opens the session of a command. Throws a {@link CommandError} if there is no operator token. */
export async function openSession(terminal: Terminal, options: AccountOptions): Promise<Session> {
  const url = options.url ?? localUrl();
  const operator = openOperator(url, options.token ?? (await localToken(options.url)));
  return {
    output: createOutput(terminal, options.json === true),
    url,
    operator,
    async account() {
      if (options.account !== undefined) return operator.account(options.account);
      const found = await operator.accounts.list({ limit: 2 }).take(2);
      if (found.length === 1) return operator.account(found[0]!.account_id);
      throw new CommandError(
        exitCodes.usage,
        found.length === 0
          ? 'There is no account. Create one with `roster accounts create`.'
          : 'There are several accounts. Select one with --account; `roster accounts list` shows them.',
      );
    },
  };
}

/**
 * Returns the options that select the same account of the same service, for a command that is
 * suggested to the user. `--url` is omitted if the address comes from the environment, because the
 * suggested command reads the same environment.
 */
export function accountOptionsOf(command: Command, { accountId }: AccountOperator): string {
  const { url } = command.opts<ServiceOptions>();
  const typed = url !== undefined && command.getOptionValueSource('url') === 'cli';
  return `--account ${accountId}${typed ? ` --url ${quoteForShell(url)}` : ''}`;
}

function openOperator(url: string, token: string): OperatorClient {
  try {
    return createOperatorClient({ url, token });
  } catch (error) {
    throw new CommandError(exitCodes.usage, `--url (ROSTER_URL): ${(error as Error).message}`, { cause: error });
  }
}

/** Returns the address of a service that runs on this machine with the same settings. */
export function localUrl({ host, port }: Pick<Config, 'host' | 'port'> = readConfig()): string {
  return urlOfAddress(host, port);
}

/**
 * Reads the token that the service on this machine created. It must not be sent to other services.
 * So `url`, if there is one, must be the address of this service. Throws a {@link CommandError} if
 * there is no token.
 */
async function localToken(url: string | undefined): Promise<string> {
  const config = readConfig();
  if (url !== undefined && !isOrigin(url, localUrl(config))) {
    throw new CommandError(
      exitCodes.usage,
      'There is no operator token. Set ROSTER_ADMIN_TOKEN to the token of the service at --url (ROSTER_URL).',
    );
  }
  const file = path.resolve(config.dataDir, 'admin-token');
  const token = await readTokenFile(file);
  if (token !== undefined) return token;
  throw new CommandError(
    exitCodes.usage,
    `There is no operator token: ${file} does not exist. If the service has started, run the command in the directory of the service, or set ROSTER_DATA_DIR to its data directory, or ROSTER_ADMIN_TOKEN to its token. The first start of the service creates the token.`,
  );
}

function isOrigin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === new URL(origin).origin;
}

/** Reads a positive integer from the command line. */
export function positiveInteger(text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text);
  throw new InvalidArgumentError('It must be a positive integer.');
}

/** Collects the positive integers of an option that can be repeated. */
export function positiveIntegers(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, positiveInteger(text)];
}
