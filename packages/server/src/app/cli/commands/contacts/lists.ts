import type { List } from '@roster/client';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeAll, writeRecord, writeRows, type Columns } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';
import { withFields, writeContacts, type SearchOptions } from './contact-rows.ts';

const columns: Columns<List> = {
  LIST: (one) => one.audience_id,
  NAME: (one) => one.name,
  MEMBERS: (one) => one.member_count,
  CREATED: (one) => one.created_at,
};

/** Adds `roster lists`: audiences with members. */
export function addListCommands(program: RosterCommand): void {
  const lists = program.command('lists').description('lists of an account: audiences with members');
  const onOne = (name: string) => lists.command(name).argument('<audience_id>', 'number of the list', positiveInteger);

  lists
    .command('list')
    .described('show all lists with their member counts', 'roster lists list --json')
    .option('--contains <text>', 'only lists with this text in their name')
    .onAccount<{ contains?: string }>(({ account, output, options: { contains } }) =>
      writeAll(output, (page) => account.lists.list({ ...page, ...given({ contains }) }), columns),
    );

  onOne('show')
    .described('show a list, and what uses it', 'roster lists show 3')
    .onAccount<object, [number]>(async ({ account, output }, audienceId) =>
      writeRecord(output, await account.lists.get(audienceId)),
    );

  lists
    .command('create')
    .argument('<name>', 'name of the list')
    .described('create a list', 'roster lists create "Newsletter"')
    .onAccount<object, [string]>(async ({ account, output }, name) => {
      const made = await account.lists.create({ name });
      await (output.json ? writeRecord(output, made) : writeRows(output, [made], columns));
    });

  onOne('rename')
    .argument('<name>', 'new name')
    .described('rename a list', 'roster lists rename 3 "Newsletter, weekly"')
    .onAccount<object, [number, string]>(async ({ account, output }, audienceId, name) => {
      const changed = await account.lists.update(audienceId, { name });
      await (output.json ? writeRecord(output, changed) : writeRows(output, [changed], columns));
    });

  withFields(onOne('contacts'))
    .limited()
    .described('list the members of a list', 'roster lists contacts 3 --fields EMAIL,CITY --limit all')
    .onAccount<SearchOptions, [number]>((call, audienceId) =>
      writeContacts(call, {}, { audience_type: 'list', audience_id: audienceId }),
    );

  onOne('growth')
    .option('--days <number>', 'number of days (default: 30)', positiveInteger)
    .described('show how many contacts joined and left on each day', 'roster lists growth 3 --days 7')
    .onAccount<{ days?: number }, [number]>(async ({ account, output, options: { days } }, audienceId) => {
      const { data } = await account.lists.growth(audienceId, given({ days }));
      await writeRows(output, data, {
        DAY: (one) => one.day,
        JOINED: (one) => one.joined,
        LEFT: (one) => one.left,
        MEMBERS: (one) => one.member_count,
      });
    });

  onOne('delete')
    .confirmed()
    .described('delete a list; its members remain contacts of the account', 'roster lists delete 3 --yes')
    .onAccount<object, [number]>(async ({ account, output, confirm }, audienceId) => {
      const { name, member_count: members } = await account.lists.get(audienceId);
      const question = `Delete list ${audienceId} “${name}” with ${members === 1 ? 'one member' : `${members.toLocaleString('en')} members`}?`;
      await confirm(question);
      await account.lists.delete(audienceId);
      await output.result({ audience_id: audienceId, deleted: true }, () => `Deleted list ${audienceId}.`);
    });
}
