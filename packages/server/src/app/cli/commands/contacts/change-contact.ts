import type { UpdateContactBody } from '@roster/client';
import { InvalidArgumentError } from 'commander';
import { given } from '#platform/given.ts';
import { collect, type RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { positiveIntegers } from '../../terminal/session.ts';
import { contactArgument, findContact } from './contact-rows.ts';

type Attributes = Readonly<Record<string, string | null>>;

interface ChangeOptions {
  readonly identity?: string;
  readonly email?: string;
  readonly mobile?: string;
  readonly attribute?: Attributes;
  readonly addToList?: readonly number[];
  readonly removeFromList?: readonly number[];
  readonly optOut?: readonly Channel[];
  readonly optIn?: readonly Channel[];
}

type Channel = keyof NonNullable<UpdateContactBody['subscriptions']>;

/** Adds `roster contacts change`, which changes one contact and waits for the result. */
export function addContactChange(contacts: RosterCommand): void {
  contacts
    .command('change')
    .argument('<contact>', contactArgument)
    .option('--identity <value>', 'new identity')
    .option('--email <address>', 'new e-mail address; blank removes it')
    .option('--mobile <number>', 'new mobile number; blank removes it')
    .option('--attribute <name=value>', 'new value of an attribute; name= removes it (repeatable)', readAttribute)
    .option('--add-to-list <audience_id>', 'add the contact to a list (repeatable)', positiveIntegers)
    .option('--remove-from-list <audience_id>', 'remove the contact from a list (repeatable)', positiveIntegers)
    .option('--opt-out <channel>', 'opt the contact out of email, sms or whatsapp (repeatable)', collect)
    .option('--opt-in <channel>', 'opt the contact in again (repeatable)', collect)
    .described(
      'change one contact; fails if somebody else changes it at the same time',
      'roster contacts change asha@example.com --attribute CITY=Mumbai --opt-out sms',
    )
    .onAccount<ChangeOptions, [string]>(async ({ account, output, options }, contact) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0)
        throw new CommandError(exitCodes.usage, 'Use at least one option that changes something.');
      const { contact_id: id, version } = await account.contacts.get(await findContact(account, contact));
      const changed = await account.contacts.update(id, change, { ifMatch: version });
      await output.result(changed, () => `Changed contact ${id}.`);
      if (output.json) return;
      for (const { field, message } of changed.warnings)
        await output.note(`${field ?? 'A part'} was left out: ${message}`);
    });
}

function changeOf({
  addToList = [],
  removeFromList = [],
  optOut = [],
  optIn = [],
  ...options
}: ChangeOptions): UpdateContactBody {
  const { identity, email, mobile, attribute: attributes } = options;
  const lists = [
    ...(addToList.length === 0 ? [] : [{ audience_id: [...addToList], action: 'add' as const }]),
    ...(removeFromList.length === 0 ? [] : [{ audience_id: [...removeFromList], action: 'remove' as const }]),
  ];
  const channels = [...optOut.map((name) => [name, false]), ...optIn.map((name) => [name, true])];
  return {
    ...given({ identity, email: orNull(email), mobile: orNull(mobile), attributes }),
    ...(lists.length === 0 ? {} : { audience_details: lists }),
    ...(channels.length === 0 ? {} : { subscriptions: Object.fromEntries(channels) as Record<Channel, boolean> }),
  };
}

function orNull(value: string | undefined): string | null | undefined {
  return value === '' ? null : value;
}

/** Reads `NAME=value`. The service converts the value to the type of the attribute. */
export function readAttribute(text: string, before: Attributes = {}): Attributes {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be <name>=<value>, such as CITY=Pune.');
  const value = text.slice(at + 1);
  return { ...before, [text.slice(0, at)]: value === '' ? null : value };
}
