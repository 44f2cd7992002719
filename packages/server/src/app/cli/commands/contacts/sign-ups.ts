import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { readAttribute } from './change-contact.ts';
import { positiveIntegers } from '../../terminal/session.ts';

interface SignUpOptions {
  readonly identity?: string;
  readonly mobile?: string;
  readonly attribute?: Readonly<Record<string, string | null>>;
  readonly list?: readonly number[];
}

/** Adds `roster sign-ups`: contacts who must confirm by a link in a mail. */
export function addSignUpCommands(program: RosterCommand): void {
  const signUps = program.command('sign-ups').description('sign-ups, which people confirm by a link in a mail');

  signUps
    .command('list')
    .limited()
    .described('list the sign-ups that wait for their confirmation', 'roster sign-ups list')
    .onAccount<LimitOptions>(({ account, output, options }) =>
      writeListing(output, options, (page) => account.signUps.list(page), {
        'SIGN-UP': (one) => one.sign_up_id,
        EMAIL: (one) => one.email,
        CREATED: (one) => one.created_at,
        EXPIRES: (one) => one.expires_at,
      }),
    );

  signUps
    .command('create')
    .argument('<email>', 'address that gets the mail')
    .option('--identity <value>', 'identity, if the primary key is not EMAIL')
    .option('--mobile <number>', 'mobile number')
    .option('--attribute <name=value>', 'value of an attribute (repeatable)', readAttribute)
    .option('--list <audience_id>', 'list that the contact joins (repeatable)', positiveIntegers)
    .described(
      'sign up a person: the contact stays unconfirmed until the person follows the link in the mail',
      'roster sign-ups create asha@example.com --attribute CITY=Pune --list 3',
    )
    .onAccount<SignUpOptions, [string]>(
      async ({ account, output, options: { list, attribute: attributes, identity, mobile } }, email) => {
        const lists = list === undefined ? {} : { audience_details: [{ audience_id: [...list] }] };
        await writeRecord(
          output,
          await account.signUps.create({ email, ...given({ identity, mobile, attributes }), ...lists }),
        );
      },
    );
}
