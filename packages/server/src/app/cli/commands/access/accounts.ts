import type { Account, AccountDeletion, AccountDetail } from '@roster/client';
import { InvalidArgumentError } from 'commander';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { fields, type Output } from '../../terminal/output.ts';
import { writeAll, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';

type Settings = Readonly<Record<string, unknown>>;

interface AccountFields {
  readonly primaryKey?: string;
  readonly timeZone?: string;
  readonly setting?: Settings;
}

/** Adds `roster accounts`: list, show, create, update and delete. */
export function addAccountCommands(program: RosterCommand): void {
  const accounts = program.command('accounts').description('accounts of the service');
  const onOne = (name: string) =>
    accounts.command(name).argument('<account_id>', 'number of the account', positiveInteger);

  accounts
    .command('list')
    .described('list the accounts', 'roster accounts list --json')
    .onService(({ operator, output }) =>
      writeAll<Account>(output, (page) => operator.accounts.list(page), {
        ACCOUNT: (one) => one.account_id,
        NAME: (one) => one.name,
        'PRIMARY KEY': (one) => one.primary_key,
        'TIME ZONE': (one) => one.time_zone,
        CREATED: (one) => one.created_at,
      }),
    );

  onOne('show')
    .described('show one account with its settings', 'roster accounts show 1')
    .onService<object, [number]>(async ({ operator, output }, accountId) => {
      const found = await operator.accounts.get(accountId);
      await output.result(found, () => shown(output, found));
    });

  withFields(accounts.command('create').argument('<name>', 'name of the account'))
    .described(
      'create an account and its first API key; the key is shown only once',
      'roster accounts create "Acme India" --time-zone Asia/Kolkata --primary-key CUSTOMER_ID',
    )
    .onService<AccountFields, [string]>(async ({ operator, output, options }, name) => {
      const made = await operator.accounts.create({ name, ...bodyOf(options) });
      await output.result(made, () => `${shown(output, made)}\n${fields(output, { api_key: made.api_key })}`);
    });

  withFields(onOne('update'))
    .option('--name <name>', 'new name of the account')
    .described(
      'change an account; fields without an option stay as they are',
      'roster accounts update 1 --setting rate_limit=6000 --setting csv_formula_guard=true',
    )
    .onService<AccountFields & { name?: string }, [number]>(async ({ operator, output, options }, accountId) => {
      const { name } = options;
      const changed = await operator.accounts.update(accountId, { ...given({ name }), ...bodyOf(options) });
      await output.result(changed, () => shown(output, changed));
    });

  accounts
    .command('delete')
    .argument('<account_id>', 'number of the account', positiveInteger)
    .requiredOption('--name <name>', 'exact name of the account')
    .confirmed()
    .described(
      'delete an account with everything in it; this cannot be undone',
      'roster accounts delete 2 --name "Acme India" --yes',
    )
    .onService<{ name: string }, [number]>(async ({ operator, output, options, confirm }, accountId) => {
      await confirm(`Delete account ${accountId} with all contacts?`);
      await writeRecord(output, await operator.accounts.delete(accountId, options.name));
    });

  accounts
    .command('deletions')
    .limited()
    .described('list the deletions of accounts', 'roster accounts deletions')
    .onService<LimitOptions>(({ operator, output, options }) =>
      writeListing<AccountDeletion>(output, options, (page) => operator.accountDeletions.list(page), {
        ACCOUNT: (one) => one.account_id,
        NAME: (one) => one.name,
        STATUS: (one) => one.status,
        'DELETED ROWS': (one) => one.deleted_rows,
        REQUESTED: (one) => one.requested_at,
        AUTHOR: (one) => one.author,
      }),
    );

  accounts
    .command('deletion')
    .argument('<account_id>', 'number of the deleted account', positiveInteger)
    .described('show the deletion of an account, and its progress', 'roster accounts deletion 2')
    .onService<object, [number]>(async ({ operator, output }, accountId) =>
      writeRecord(output, await operator.accountDeletions.get(accountId)),
    );
}

function withFields(command: RosterCommand): RosterCommand {
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
  const used =
    'daily_batch' in account
      ? { 'batch adds today': account.daily_batch.used, 'bytes of stored files': account.stored_files.used }
      : {};
  return fields(output, { account_id, name, primary_key, time_zone, created_at, ...settings, ...used });
}
