import type { Command } from 'commander';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { given } from '#platform/given.ts';
import { described, onAccount } from '../../terminal/call.ts';
import { withLimit, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import type { Terminal } from '../../terminal/terminal.ts';

interface NamingOptions {
  readonly identity?: string;
  readonly email?: string;
  readonly mobile?: string;
}

/** Adds `roster erasures` and `roster forgotten`: people who were erased. */
export function addErasureCommands(program: Command, terminal: Terminal): void {
  const erasures = program.command('erasures').description('erasures of people; `roster contacts erase` makes one');

  onAccount<LimitOptions>(
    terminal,
    described(withLimit(erasures.command('list')), 'list the newest erasures', 'roster erasures list'),
    ({ account, output, options }) =>
      writeListing(output, options, (page) => account.erasures.list(page), {
        ERASURE: (one) => one.request_id,
        CONTACT: (one) => one.contact_id,
        STATUS: (one) => one.status,
        ERASED: (one) => one.erased_at,
        FINISHED: (one) => one.finished_at,
      }),
  );

  onAccount<object, [string]>(
    terminal,
    described(
      erasures.command('show').argument('<request_id>', 'identifier of the erasure'),
      'show an erasure, and what it has erased',
      'roster erasures show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    ),
    async ({ account, output }, id) => writeRecord(output, await account.erasures.get(id)),
  );

  const forgotten = program.command('forgotten').description('erased people who must not be stored again');

  onAccount(
    terminal,
    described(forgotten.command('count'), 'count the forgotten people', 'roster forgotten count'),
    async ({ account, output }) => {
      const people = await account.forgotten.count();
      await output.result({ people }, () => String(people));
    },
  );

  onAccount<NamingOptions>(
    terminal,
    described(
      forgotten
        .command('undo')
        .option('--identity <value>', 'identity of the person')
        .option('--email <address>', 'e-mail address of the person')
        .option('--mobile <number>', 'mobile number of the person'),
      'let a person be stored again',
      'roster forgotten undo --email asha@example.com',
    ),
    async ({ account, output, options: { identity, email, mobile } }) => {
      const person = given({ identity, email, mobile });
      if (Object.keys(person).length === 0)
        throw new CommandError(exitCodes.usage, 'Use --identity, --email or --mobile.');
      const people = await account.forgotten.undo(person);
      await output.result({ people }, () => `${people} ${people === 1 ? 'person' : 'people'} can be stored again.`);
    },
  );
}
