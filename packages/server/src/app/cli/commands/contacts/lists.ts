import type { List } from '@roster/client';
import type { Command } from 'commander';
import { given } from '#platform/given.ts';
import { described, onAccount, withConfirmation, type ConfirmOptions } from '../../terminal/call.ts';
import { withLimit, writeAll, writeRecord, writeRows, type Columns } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';
import { requireConfirmation, type Terminal } from '../../terminal/terminal.ts';
import { withFields, writeContacts, type SearchOptions } from './contact-rows.ts';

const columns: Columns<List> = {
  LIST: (one) => one.audience_id,
  NAME: (one) => one.name,
  MEMBERS: (one) => one.member_count,
  CREATED: (one) => one.created_at,
};

/** Adds `roster lists`: audiences with members. */
export function addListCommands(program: Command, terminal: Terminal): void {
  const lists = program.command('lists').description('lists of an account: audiences with members');
  const onOne = (name: string) => lists.command(name).argument('<audience_id>', 'number of the list', positiveInteger);

  onAccount<{ contains?: string }>(
    terminal,
    described(lists.command('list'), 'show all lists with their member counts', 'roster lists list --json').option(
      '--contains <text>',
      'only lists with this text in their name',
    ),
    ({ account, output, options: { contains } }) =>
      writeAll(output, (page) => account.lists.list({ ...page, ...given({ contains }) }), columns),
  );

  onAccount<object, [number]>(
    terminal,
    described(onOne('show'), 'show a list, and what uses it', 'roster lists show 3'),
    async ({ account, output }, audienceId) => writeRecord(output, await account.lists.get(audienceId)),
  );

  onAccount<object, [string]>(
    terminal,
    described(
      lists.command('create').argument('<name>', 'name of the list'),
      'create a list',
      'roster lists create "Newsletter"',
    ),
    async ({ account, output }, name) => {
      const made = await account.lists.create({ name });
      await (output.json ? writeRecord(output, made) : writeRows(output, [made], columns));
    },
  );

  onAccount<object, [number, string]>(
    terminal,
    described(
      onOne('rename').argument('<name>', 'new name'),
      'rename a list',
      'roster lists rename 3 "Newsletter, weekly"',
    ),
    async ({ account, output }, audienceId, name) => {
      const changed = await account.lists.update(audienceId, { name });
      await (output.json ? writeRecord(output, changed) : writeRows(output, [changed], columns));
    },
  );

  onAccount<SearchOptions, [number]>(
    terminal,
    described(
      withLimit(withFields(onOne('contacts'))),
      'list the members of a list',
      'roster lists contacts 3 --fields EMAIL,CITY --limit all',
    ),
    (call, audienceId) => writeContacts(call, {}, { audience_type: 'list', audience_id: audienceId }),
  );

  onAccount<{ days?: number }, [number]>(
    terminal,
    described(
      onOne('growth').option('--days <number>', 'number of days (default: 30)', positiveInteger),
      'show how many contacts joined and left on each day',
      'roster lists growth 3 --days 7',
    ),
    async ({ account, output, options: { days } }, audienceId) => {
      const { data } = await account.lists.growth(audienceId, given({ days }));
      await writeRows(output, data, {
        DAY: (one) => one.day,
        JOINED: (one) => one.joined,
        LEFT: (one) => one.left,
        MEMBERS: (one) => one.member_count,
      });
    },
  );

  onAccount<ConfirmOptions, [number]>(
    terminal,
    described(
      withConfirmation(onOne('delete')),
      'delete a list; its members remain contacts of the account',
      'roster lists delete 3 --yes',
    ),
    async ({ account, output, options }, audienceId) => {
      const { name, member_count: members } = await account.lists.get(audienceId);
      const question = `Delete list ${audienceId} “${name}” with ${members === 1 ? 'one member' : `${members.toLocaleString('en')} members`}?`;
      await requireConfirmation(terminal, options, question);
      await account.lists.delete(audienceId);
      await output.result({ audience_id: audienceId, deleted: true }, () => `Deleted list ${audienceId}.`);
    },
  );
}
