import type { Account, AccountDeletion, AccountDetail } from '@roster/client';
import { InvalidArgumentError, type Command } from 'commander';
import { given } from '#platform/given.ts';
import { described, onService, withConfirmation, type ConfirmOptions } from '../../terminal/call.ts';
import { fields, type Output } from '../../terminal/output.ts';
import { withLimit, writeAll, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';
import { requireConfirmation, type Terminal } from '../../terminal/terminal.ts';

type Settings = Readonly<Record<string, unknown>>;

interface AccountFields {
  readonly primaryKey?: string;
  readonly timeZone?: string;
  readonly setting?: Settings;
}

/** Adds `roster accounts`: list, show, create, update and delete. */
export function addAccountCommands(program: Command, terminal: Terminal): void {
  const accounts = program.command('accounts').description('accounts of the service');
  const onOne = (name: string) =>
    accounts.command(name).argument('<account_id>', 'number of the account', positiveInteger);

  onService(
    terminal,
    described(accounts.command('list'), 'list the accounts', 'roster accounts list --json'),
    ({ operator, output }) =>
      writeAll<Account>(output, (page) => operator.accounts.list(page), {
        ACCOUNT: (one) => one.account_id,
        NAME: (one) => one.name,
        'PRIMARY KEY': (one) => one.primary_key,
        'TIME ZONE': (one) => one.time_zone,
        CREATED: (one) => one.created_at,
      }),
  );

  onService<object, [number]>(
    terminal,
    described(onOne('show'), 'show one account with its settings', 'roster accounts show 1'),
    async ({ operator, output }, accountId) => {
      const found = await operator.accounts.get(accountId);
      await output.result(found, () => shown(output, found));
    },
  );

  onService<AccountFields, [string]>(
    terminal,
    described(
      withFields(accounts.command('create').argument('<name>', 'name of the account')),
      'create an account and its first API key; the key is shown only once',
      'roster accounts create "Acme India" --time-zone Asia/Kolkata --primary-key CUSTOMER_ID',
    ),
    async ({ operator, output, options }, name) => {
      const made = await operator.accounts.create({ name, ...bodyOf(options) });
      await output.result(made, () => `${shown(output, made)}\n${fields(output, { api_key: made.api_key })}`);
    },
  );

  onService<AccountFields & { name?: string }, [number]>(
    terminal,
    described(
      withFields(onOne('update')).option('--name <name>', 'new name of the account'),
      'change an account; fields without an option stay as they are',
      'roster accounts update 1 --setting rate_limit=6000 --setting csv_formula_guard=true',
    ),
    async ({ operator, output, options }, accountId) => {
      const { name } = options;
      const changed = await operator.accounts.update(accountId, { ...given({ name }), ...bodyOf(options) });
      await output.result(changed, () => shown(output, changed));
    },
  );

  onService<{ name: string } & ConfirmOptions, [number]>(
    terminal,
    described(
      withConfirmation(
        accounts
          .command('delete')
          .argument('<account_id>', 'number of the account', positiveInteger)
          .requiredOption('--name <name>', 'exact name of the account'),
      ),
      'delete an account with everything in it; this cannot be undone',
      'roster accounts delete 2 --name "Acme India" --yes',
    ),
    async ({ operator, output, options }, accountId) => {
      await requireConfirmation(terminal, options, `Delete account ${accountId} with all contacts?`);
      await writeRecord(output, await operator.accounts.delete(accountId, options.name));
    },
  );

  onService<LimitOptions>(
    terminal,
    described(withLimit(accounts.command('deletions')), 'list the deletions of accounts', 'roster accounts deletions'),
    ({ operator, output, options }) =>
      writeListing<AccountDeletion>(output, options, (page) => operator.accountDeletions.list(page), {
        ACCOUNT: (one) => one.account_id,
        NAME: (one) => one.name,
        STATUS: (one) => one.status,
        'DELETED ROWS': (one) => one.deleted_rows,
        REQUESTED: (one) => one.requested_at,
        AUTHOR: (one) => one.author,
      }),
  );

  onService<object, [number]>(
    terminal,
    described(
      accounts.command('deletion').argument('<account_id>', 'number of the deleted account', positiveInteger),
      'show the deletion of an account, and its progress',
      'roster accounts deletion 2',
    ),
    async ({ operator, output }, accountId) => writeRecord(output, await operator.accountDeletions.get(accountId)),
  );
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
  return given({ primary_key: primaryKey, time_zone: timeZone, settings: setting });
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
