import type { Command } from 'commander';
import { table, type Output } from '../terminal/output.ts';
import { openSession, positiveInteger, withAccount, type AccountOptions } from '../terminal/session.ts';
import { requireConfirmation, type Terminal } from '../terminal/terminal.ts';
import type { List } from '@roster/client';

/** Adds `roster lists`: list, create, rename and delete. */
export function addListCommands(program: Command, terminal: Terminal): void {
  const lists = program.command('lists').description('lists of an account: audiences with members');

  withAccount(lists.command('list'))
    .description('show all lists with their member counts')
    .addHelpText('after', '\nExample:\n  roster lists list --json')
    .action(async (options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const found = await (await account()).lists.list({ limit: 500 }).all();
      await output.result(found, () => shown(output, found));
    });

  withAccount(lists.command('create').argument('<name>', 'name of the list'))
    .description('create a list')
    .addHelpText('after', '\nExample:\n  roster lists create "Newsletter"')
    .action(async (name: string, options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const made = await (await account()).lists.create({ name });
      await output.result(made, () => shown(output, [made]));
    });

  withAccount(lists.command('rename').argument('<audience_id>', 'number of the list', positiveInteger))
    .argument('<name>', 'new name')
    .description('rename a list')
    .addHelpText('after', '\nExample:\n  roster lists rename 3 "Newsletter, weekly"')
    .action(async (audienceId: number, name: string, options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const changed = await (await account()).lists.update(audienceId, { name });
      await output.result(changed, () => shown(output, [changed]));
    });

  withAccount(lists.command('delete').argument('<audience_id>', 'number of the list', positiveInteger))
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete a list; its members remain contacts of the account')
    .addHelpText('after', '\nExample:\n  roster lists delete 3 --yes')
    .action(async (audienceId: number, options: AccountOptions & { yes?: boolean }) => {
      const { account, output } = await openSession(terminal, options);
      const owner = await account();
      const { name, member_count: members } = await owner.lists.get(audienceId);
      await requireConfirmation(
        terminal,
        options,
        `Delete list ${audienceId} “${name}” with ${members.toLocaleString('en')} members?`,
      );
      await owner.lists.delete(audienceId);
      await output.result({ audience_id: audienceId, deleted: true }, () => `Deleted list ${audienceId}.`);
    });
}

const shown = (output: Output, found: readonly List[]): Promise<string> =>
  table(
    output,
    ['LIST', 'NAME', 'MEMBERS', 'CREATED'],
    found.map((list) => [list.audience_id, list.name, list.member_count, list.created_at]),
  );
