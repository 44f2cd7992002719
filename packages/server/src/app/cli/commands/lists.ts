import type { Command } from 'commander';
import { confirmed } from '../terminal/confirmed.ts';
import { table, type Output } from '../terminal/output.ts';
import { openSession, positiveInteger, withAccount, type AccountOptions } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { List } from '@roster/client';

/** `roster lists`: list, create, rename, delete. */
export function addListCommands(program: Command, terminal: Terminal): void {
  const lists = program.command('lists').description('lists of an account: audiences with members');

  withAccount(lists.command('list'))
    .description('list the lists with the numbers of their members')
    .addHelpText('after', '\nExample:\n  roster lists list --json')
    .action(async (options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const found = await (await account()).lists.list({ limit: 500 }).all();
      await output.result(found, () => shown(output, found));
    });

  withAccount(lists.command('create').argument('<name>', 'name for people'))
    .description('make a list')
    .addHelpText('after', '\nExample:\n  roster lists create "Newsletter"')
    .action(async (name: string, options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const made = await (await account()).lists.create({ name });
      await output.result(made, () => shown(output, [made]));
    });

  withAccount(lists.command('rename').argument('<audience_id>', 'number of the list', positiveInteger))
    .argument('<name>', 'new name')
    .description('give a list another name')
    .addHelpText('after', '\nExample:\n  roster lists rename 3 "Newsletter, weekly"')
    .action(async (audienceId: number, name: string, options: AccountOptions) => {
      const { account, output } = await openSession(terminal, options);
      const changed = await (await account()).lists.update(audienceId, { name });
      await output.result(changed, () => shown(output, [changed]));
    });

  withAccount(lists.command('delete').argument('<audience_id>', 'number of the list', positiveInteger))
    .option('-y, --yes', 'do not ask')
    .description('delete a list; its members stay contacts')
    .addHelpText('after', '\nExample:\n  roster lists delete 3 --yes')
    .action(async (audienceId: number, options: AccountOptions & { yes?: boolean }) => {
      const { account, output } = await openSession(terminal, options);
      const owner = await account();
      const { name, member_count: members } = await owner.lists.get(audienceId);
      await confirmed(
        terminal,
        options,
        `Delete list ${audienceId} “${name}” with ${members.toLocaleString('en')} members?`,
      );
      await owner.lists.delete(audienceId);
      await output.result({ audience_id: audienceId, deleted: true }, () => `List ${audienceId} is deleted.`);
    });
}

const shown = (output: Output, found: readonly List[]): Promise<string> =>
  table(
    output,
    ['LIST', 'NAME', 'MEMBERS', 'CREATED'],
    found.map((list) => [list.audience_id, list.name, list.member_count, list.created_at]),
  );
