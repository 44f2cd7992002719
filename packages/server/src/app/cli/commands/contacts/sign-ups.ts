import type { Command } from 'commander';
import { given } from '#platform/given.ts';
import { described, onAccount } from '../../terminal/call.ts';
import { withLimit, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { readAttribute } from './change-contact.ts';
import { positiveIntegers } from '../../terminal/session.ts';

interface SignUpOptions {
  readonly identity?: string;
  readonly mobile?: string;
  readonly attribute?: Readonly<Record<string, string | null>>;
  readonly list?: readonly number[];
}

/** Adds `roster sign-ups`: contacts who must confirm by a link in a mail. */
export function addSignUpCommands(program: Command, terminal: Terminal): void {
  const signUps = program.command('sign-ups').description('sign-ups, which people confirm by a link in a mail');

  onAccount<LimitOptions>(
    terminal,
    described(
      withLimit(signUps.command('list')),
      'list the sign-ups that wait for their confirmation',
      'roster sign-ups list',
    ),
    ({ account, output, options }) =>
      writeListing(output, options, (page) => account.signUps.list(page), {
        'SIGN-UP': (one) => one.sign_up_id,
        EMAIL: (one) => one.email,
        CREATED: (one) => one.created_at,
        EXPIRES: (one) => one.expires_at,
      }),
  );

  onAccount<SignUpOptions, [string]>(
    terminal,
    described(
      signUps
        .command('create')
        .argument('<email>', 'address that gets the mail')
        .option('--identity <value>', 'identity, if the primary key is not EMAIL')
        .option('--mobile <number>', 'mobile number')
        .option('--attribute <name=value>', 'value of an attribute (repeatable)', readAttribute)
        .option('--list <audience_id>', 'list that the contact joins (repeatable)', positiveIntegers),
      'sign up a person: the contact stays unconfirmed until the person follows the link in the mail',
      'roster sign-ups create asha@example.com --attribute CITY=Pune --list 3',
    ),
    async ({ account, output, options: { list, attribute: attributes, identity, mobile } }, email) => {
      const lists = list === undefined ? {} : { audience_details: [{ audience_id: [...list] }] };
      await writeRecord(
        output,
        await account.signUps.create({ email, ...given({ identity, mobile, attributes }), ...lists }),
      );
    },
  );
}
