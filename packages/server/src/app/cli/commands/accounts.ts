import type { Account, AccountDetail } from '@roster/client';
import { InvalidArgumentError, type Command } from 'commander';
import { fields, table, type Output } from '../terminal/output.ts';
import { openSession, positiveInteger, withService, type ServiceOptions } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Settings = Readonly<Record<string, unknown>>;

interface AccountFields extends ServiceOptions {
  readonly name?: string;
  readonly primaryKey?: string;
  readonly timeZone?: string;
  readonly setting?: Settings;
}

/** Adds `roster accounts`: list, show, create and update. */
export function addAccountCommands(program: Command, terminal: Terminal): void {
  const accounts = program.command('accounts').description('accounts of the service');

  withService(accounts.command('list'))
    .description('list the accounts')
    .addHelpText('after', '\nExample:\n  roster accounts list --json')
    .action(async (options: ServiceOptions) => {
      const { operator, output } = await openSession(terminal, options);
      const found = await operator.accounts.list({ limit: 500 }).all();
      await output.result(found, () =>
        table(
          output,
          ['ACCOUNT', 'NAME', 'PRIMARY KEY', 'TIME ZONE', 'CREATED'],
          found.map((one) => [one.account_id, one.name, one.primary_key, one.time_zone, one.created_at]),
        ),
      );
    });

  withService(accounts.command('show').argument('<account_id>', 'number of the account', positiveInteger))
    .description('show one account with its settings')
    .addHelpText('after', '\nExample:\n  roster accounts show 1')
    .action(async (accountId: number, options: ServiceOptions) => {
      const { operator, output } = await openSession(terminal, options);
      const found = await operator.accounts.get(accountId);
      await output.result(found, () => shown(output, found));
    });

  withFields(withService(accounts.command('create').argument('<name>', 'name of the account')))
    .description('create an account and its first API key; the key is shown only once')
    .addHelpText(
      'after',
      '\nExample:\n  roster accounts create "Acme India" --time-zone Asia/Kolkata --primary-key CUSTOMER_ID',
    )
    .action(async (name: string, options: AccountFields) => {
      const { operator, output } = await openSession(terminal, options);
      const made = await operator.accounts.create({ name, ...bodyOf(options) });
      await output.result(made, () => `${shown(output, made)}\n${fields(output, { api_key: made.api_key })}`);
    });

  withFields(withService(accounts.command('update').argument('<account_id>', 'number of the account', positiveInteger)))
    .option('--name <name>', 'new name of the account')
    .description('change an account; fields without an option stay as they are')
    .addHelpText(
      'after',
      '\nExample:\n  roster accounts update 1 --setting rate_limit=6000 --setting csv_formula_guard=true',
    )
    .action(async (accountId: number, options: AccountFields) => {
      const { operator, output } = await openSession(terminal, options);
      const { name } = options;
      const changed = await operator.accounts.update(accountId, {
        ...(name === undefined ? {} : { name }),
        ...bodyOf(options),
      });
      await output.result(changed, () => shown(output, changed));
    });
}

function withFields(command: Command): Command {
  return command
    .option('--primary-key <attribute>', 'primary key of the contacts: EMAIL, MOBILE or the name of a text attribute')
    .option('--time-zone <name>', 'time zone by its IANA name, such as Asia/Kolkata')
    .option(
      '--setting <name=value>',
      'a setting of the account; null resets it to its default (repeatable)',
      readSetting,
    );
}

/**
 * Returns the request body for the options. The service checks the names and values of settings.
 */
function bodyOf({ primaryKey, timeZone, setting }: AccountFields): object {
  return {
    ...(primaryKey === undefined ? {} : { primary_key: primaryKey }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(setting === undefined ? {} : { settings: setting }),
  };
}

function readSetting(text: string, before: Settings = {}): Settings {
  const [, name, value] = /^([a-z_]+)=(true|false|null|\d+)$/.exec(text) ?? [];
  if (name === undefined) {
    throw new InvalidArgumentError(
      'It must be <name>=<value>, where the value is true, false, a number or null, such as rate_limit=6000.',
    );
  }
  return { ...before, [name]: JSON.parse(value!) as unknown };
}

function shown(output: Output, account: Account | AccountDetail): string {
  const { account_id, name, primary_key, time_zone, created_at, settings } = account;
  const today = 'daily_batch' in account ? { 'batch adds today': account.daily_batch.used } : {};
  return fields(output, { account_id, name, primary_key, time_zone, created_at, ...settings, ...today });
}
