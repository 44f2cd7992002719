import type { User } from '@roster/client';
import { Option } from 'commander';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';

interface UpdateOptions {
  readonly disable?: boolean;
  readonly enable?: boolean;
  readonly administrator?: boolean;
}

/** Adds `roster owner` and `roster user`: the people who sign in to the console. */
export function addUserCommands(program: RosterCommand): void {
  const owner = program.command('owner').description('the first owner of the installation');

  owner
    .command('set-up-link')
    .described('write a link that creates the first owner; the link before stops working', 'roster owner set-up-link')
    .onService(async ({ operator, output }) => {
      const link = await operator.users.setUpLink();
      await output.result({ link }, () => link);
    });

  const user = program.command('user').description('people who sign in to the console');
  const onOne = (name: string) => user.command(name).argument('<user_id>', 'number of the user', positiveInteger);

  user
    .command('list')
    .limited()
    .option('--contains <text>', 'only users with this text in their name or address')
    .described('list the users of the installation', 'roster user list --contains asha')
    .onService<LimitOptions & { contains?: string }>(({ operator, output, options: { limit, contains } }) =>
      writeListing<User>(output, given({ limit }), (page) => operator.users.list({ ...page, ...given({ contains }) }), {
        USER: (one) => one.user_id,
        NAME: (one) => one.name,
        EMAIL: (one) => one.email,
        ACCOUNTS: (one) => one.accounts.map(({ account_id: id, role }) => `${id} ${role}`).join(', '),
        ADMINISTRATOR: (one) => one.is_installation_admin,
        DISABLED: (one) => one.is_disabled,
        'LAST SEEN': (one) => one.last_seen_at,
      }),
    );

  onOne('update')
    .option('--disable', 'the person can no longer sign in')
    .addOption(new Option('--enable', 'the person can sign in again').conflicts('disable'))
    .option('--administrator', 'make the person an installation administrator')
    .addOption(new Option('--no-administrator', 'take this away'))
    .described(
      'disable or enable a user, or change who is an installation administrator',
      'roster user update 7 --disable',
    )
    .onService<UpdateOptions, [number]>(
      async ({ operator, output, options: { disable, enable, administrator } }, userId) => {
        const isDisabled = disable === true ? true : enable === true ? false : undefined;
        const change = given({ is_disabled: isDisabled, is_installation_admin: administrator });
        if (Object.keys(change).length === 0)
          throw new CommandError(exitCodes.usage, 'Use at least one option that changes something.');
        await writeRecord(output, await operator.users.update(userId, change));
      },
    );

  onOne('delete')
    .confirmed()
    .described('delete a user with all sessions, tokens and roles; this cannot be undone', 'roster user delete 7 --yes')
    .onService<object, [number]>(async ({ operator, output, confirm }, userId) => {
      await confirm(`Delete user ${userId}?`);
      await operator.users.delete(userId);
      await output.result({ user_id: userId, deleted: true }, () => `Deleted user ${userId}.`);
    });

  onOne('end-sessions')
    .described('end all sessions of a user', 'roster user end-sessions 7')
    .onService<object, [number]>(async ({ operator, output }, userId) => {
      await operator.users.endSessions(userId);
      await output.result({ user_id: userId }, () => `Ended all sessions of user ${userId}.`);
    });

  onOne('remove-second-factor')
    .described(
      'remove the authenticator app of a user who has lost it, and end all sessions; passkeys stay',
      'roster user remove-second-factor 7',
    )
    .onService<object, [number]>(async ({ operator, output }, userId) => {
      await operator.users.removeSecondFactor(userId);
      await output.result({ user_id: userId }, () => `Removed the second factor of user ${userId}.`);
    });

  user
    .command('reset-password')
    .argument('<email>', 'e-mail address of the person')
    .described(
      'write a link that sets a new password, for a person who is locked out; it works once, for an hour',
      'roster user reset-password asha@example.com',
    )
    .onService<object, [string]>(async ({ operator, output }, email) => {
      const link = await operator.users.passwordResetLink(email);
      await output.result({ link }, () => link);
      if (!output.json) await output.note('Give the link only to this person. It works once, for an hour.');
    });
}
