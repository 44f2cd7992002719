import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';

interface NamingOptions {
  readonly identity?: string;
  readonly email?: string;
  readonly mobile?: string;
}

/** Adds `roster erasures` and `roster forgotten`: people who were erased. */
export function addErasureCommands(program: RosterCommand): void {
  const erasures = program.command('erasures').description('erasures of people; `roster contacts erase` makes one');

  erasures
    .command('list')
    .limited()
    .described('list the newest erasures', 'roster erasures list')
    .onAccount<LimitOptions>(({ account, output, options }) =>
      writeListing(output, options, (page) => account.erasures.list(page), {
        ERASURE: (one) => one.request_id,
        CONTACT: (one) => one.contact_id,
        STATUS: (one) => one.status,
        ERASED: (one) => one.erased_at,
        FINISHED: (one) => one.finished_at,
      }),
    );

  erasures
    .command('show')
    .argument('<request_id>', 'identifier of the erasure')
    .described('show an erasure, and what it has erased', 'roster erasures show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) =>
      writeRecord(output, await account.erasures.get(id)),
    );

  const forgotten = program.command('forgotten').description('erased people who must not be stored again');

  forgotten
    .command('count')
    .described('count the forgotten people', 'roster forgotten count')
    .onAccount(async ({ account, output }) => {
      const people = await account.forgotten.count();
      await output.result({ people }, () => String(people));
    });

  forgotten
    .command('undo')
    .option('--identity <value>', 'identity of the person')
    .option('--email <address>', 'e-mail address of the person')
    .option('--mobile <number>', 'mobile number of the person')
    .described('let a person be stored again', 'roster forgotten undo --email asha@example.com')
    .onAccount<NamingOptions>(async ({ account, output, options: { identity, email, mobile } }) => {
      const person = given({ identity, email, mobile });
      if (Object.keys(person).length === 0)
        throw new CommandError(exitCodes.usage, 'Use --identity, --email or --mobile.');
      const people = await account.forgotten.undo(person);
      await output.result({ people }, () => `${people} ${people === 1 ? 'person' : 'people'} can be stored again.`);
    });
}
