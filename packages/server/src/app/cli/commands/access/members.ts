import type { Member } from '@roster/client';
import { roles, type Role } from '@roster/contract';
import { Option } from 'commander';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeAll, writeRecord } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';

interface RightOptions {
  readonly role?: Role;
  readonly unmasked?: boolean;
}

const roleNames = Object.keys(roles);

/** Adds `roster members` and `roster invitations`: the people of an account. */
export function addMemberCommands(program: RosterCommand): void {
  const members = program.command('members').description('people with a role in an account');
  const onOne = (name: string) => members.command(name).argument('<user_id>', 'number of the person', positiveInteger);

  members
    .command('list')
    .described('list the members', 'roster members list')
    .onAccount(({ account, output }) =>
      writeAll<Member>(output, (page) => account.members.list(page), {
        USER: (one) => one.user_id,
        NAME: (one) => one.name,
        EMAIL: (one) => one.email,
        ROLE: (one) => one.role,
        UNMASKED: (one) => one.unmasked,
        'LAST SEEN': (one) => one.last_seen_at,
      }),
    );

  onOne('update')
    .choice('--role <role>', 'new role', roleNames)
    .option('--unmasked', 'the person sees masked values in full')
    .addOption(new Option('--no-unmasked', 'the person sees masks'))
    .described(
      'change the role of a member, or whether the member sees masked values',
      'roster members update 7 --role editor',
    )
    .onAccount<RightOptions, [number]>(async ({ account, output, options: { role, unmasked } }, userId) => {
      const change = given({ role, unmasked });
      if (Object.keys(change).length === 0)
        throw new CommandError(exitCodes.usage, 'Use --role, --unmasked or --no-unmasked.');
      await writeRecord(output, await account.members.update(userId, change));
    });

  onOne('remove')
    .confirmed()
    .described('take away the role of a member; the person stays a user', 'roster members remove 7 --yes')
    .onAccount<object, [number]>(async ({ account, output, confirm }, userId) => {
      await confirm(`Remove user ${userId} from account ${account.accountId}?`);
      await account.members.remove(userId);
      await output.result({ user_id: userId, removed: true }, () => `Removed user ${userId}.`);
    });

  const invitations = program.command('invitations').description('invitations to an account');

  invitations
    .command('list')
    .described('list the invitations that nobody has accepted', 'roster invitations list')
    .onAccount(({ account, output }) =>
      writeAll(output, (page) => account.invitations.list(page), {
        INVITATION: (one) => one.invitation_id,
        EMAIL: (one) => one.email,
        ROLE: (one) => one.role,
        STATUS: (one) => one.status,
        EXPIRES: (one) => one.expires_at,
      }),
    );

  invitations
    .command('create')
    .argument('<email>', 'e-mail address of the person')
    .addOption(new Option('--role <role>', 'role of the person').choices(roleNames).makeOptionMandatory())
    .option('--unmasked', 'the person sees masked values in full')
    .described(
      'invite a person; without a mail server, the link is written to standard output',
      'roster invitations create lena@example.com --role editor',
    )
    .onAccount<Required<Pick<RightOptions, 'role'>> & RightOptions, [string]>(
      async ({ account, output, options: { role, unmasked } }, email) => {
        const made = await account.invitations.create({ email, role, ...given({ unmasked }) });
        await output.result(made, () => made.link ?? `Sent an invitation to ${made.email}.`);
        if (!output.json && made.link !== null) await output.note('Give the link only to this person. It works once.');
      },
    );

  invitations
    .command('delete')
    .argument('<invitation_id>', 'number of the invitation', positiveInteger)
    .confirmed()
    .described('delete an invitation; its link stops working', 'roster invitations delete 3 --yes')
    .onAccount<object, [number]>(async ({ account, output, confirm }, id) => {
      await confirm(`Delete invitation ${id}?`);
      await account.invitations.delete(id);
      await output.result({ invitation_id: id, deleted: true }, () => `Deleted invitation ${id}.`);
    });
}
