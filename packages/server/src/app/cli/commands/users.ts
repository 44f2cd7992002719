import type { Command } from 'commander';
import { openSession, withService, type ServiceOptions } from '../terminal/session.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Adds `roster owner` and `roster user`: links for people who cannot sign in. */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const owner = program.command('owner').description('the first owner of the installation');

  withService(owner.command('set-up-link'))
    .description('write a link that creates the first owner; the link before stops working')
    .addHelpText('after', '\nExample:\n  roster owner set-up-link')
    .action(async (options: ServiceOptions) => {
      const { operator, output } = await openSession(terminal, options);
      const made = await operator.call('createSetUpLink');
      await output.result(made, () => made.link);
    });

  const user = program.command('user').description('people who sign in to the console');

  withService(user.command('reset-password').argument('<email>', 'e-mail address of the person'))
    .description('write a link that sets a new password, for a person who is locked out; it works once, for an hour')
    .addHelpText('after', '\nExample:\n  roster user reset-password asha@example.com')
    .action(async (email: string, options: ServiceOptions) => {
      const { operator, output } = await openSession(terminal, options);
      const made = await operator.call('createPasswordResetLink', { body: { email } });
      await output.result(made, () => made.link);
      if (!output.json) await output.note('Give the link only to this person. It works once, for an hour.');
    });
}
