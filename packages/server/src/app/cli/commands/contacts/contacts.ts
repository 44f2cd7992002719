import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { readSearch } from '../../terminal/input.ts';
import { writeListing, writeRecord, writeRows, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';
import { pathFromCaller } from '../../terminal/shell.ts';
import { outputFile, requireWritable } from '../../terminal/writable.ts';
import { addContactChange } from './change-contact.ts';
import { contactArgument, findContact, withFields, writeContacts, type SearchOptions } from './contact-rows.ts';
import { addContactWrites } from './write-contacts.ts';

interface FilterOptions extends SearchOptions {
  readonly list?: number;
  readonly segment?: number;
  readonly count?: boolean;
}

/** Adds `roster contacts`: search, show, write, block, export and erase contacts. */
export function addContactCommands(program: RosterCommand): void {
  const { terminal } = program;
  const contacts = program.command('contacts').description('contacts of an account');
  const onOne = (name: string) => contacts.command(name).argument('<contact>', contactArgument);

  withFields(contacts.command('search').argument('[filter]', 'file with a filter; - for standard input'))
    .limited()
    .option('--list <audience_id>', 'only members of this list', positiveInteger)
    .option('--segment <audience_id>', 'only contacts of this segment', positiveInteger)
    .option('--count', 'only count the matches')
    .described(
      'list the contacts that match a filter; without one, all',
      'roster contacts search filter.json --fields EMAIL,CITY --sort CITY --limit 100',
      'roster contacts search --list 3 --count',
    )
    .onAccount<FilterOptions, [string | undefined]>(async (call, file) => {
      const { account, options, output } = call;
      const { list, segment } = options;
      if (list !== undefined && segment !== undefined) {
        throw new CommandError(exitCodes.usage, '--list and --segment cannot be used together.');
      }
      const filter = file === undefined ? {} : await readSearch(terminal, file);
      const audience =
        list === undefined && segment === undefined
          ? undefined
          : {
              audience_type: list === undefined ? ('segment' as const) : ('list' as const),
              audience_id: [(list ?? segment)!],
            };
      if (options.count !== true) return await writeContacts(call, filter, audience);
      const body = { ...filter, output: { get_count: true, fields: ['contact_id'], pagination: { limit: 1 } } };
      const { contacts: own } = account.asApiKey;
      const { count } = await (audience === undefined ? own.page(body) : own.audiencePage({ ...body, ...audience }));
      await output.result({ count }, () => String(count));
    });

  contacts
    .command('find')
    .argument('<text>', 'beginning of an address, number or identity')
    .described('find contacts by the beginning of a value', 'roster contacts find asha@')
    .onAccount<object, [string]>(async ({ account, output }, text) => {
      const { data, more } = await account.contacts.find(text);
      await writeRows(output, data, {
        CONTACT: (one) => one.contact_id,
        IDENTITY: (one) => one.identity,
        EMAIL: (one) => one.email,
        MOBILE: (one) => one.mobile,
        TYPE: (one) => one.contact_type,
      });
      if (more) await output.note('There are more. Write more of the value.');
    });

  onOne('show')
    .described('show a contact', 'roster contacts show asha@example.com')
    .onAccount<object, [string]>(async ({ account, output }, contact) => {
      const found = await account.contacts.get(await findContact(account, contact));
      if (output.json) return await writeRecord(output, found);
      const { attributes, derived_attributes, lists, segments, opt_outs: channels, lifecycle, ...rest } = found;
      const values = [...attributes, ...derived_attributes].filter(({ value }) => value !== null);
      await writeRecord(output, {
        contact_id: rest.contact_id,
        identity: rest.identity,
        email: rest.email,
        mobile: rest.mobile,
        contact_type: lifecycle.contact_type,
        lists: lists.map(({ name }) => name),
        segments: segments.map(({ name }) => name),
        opted_out: channels.filter((one) => one.opted_out).map(({ channel }) => channel),
        ...Object.fromEntries(values.map(({ name, value }) => [name, value])),
      });
    });

  onOne('timeline')
    .limited()
    .option('--kinds <kinds>', 'only these kinds, separated by commas, such as activity,opted_out')
    .described(
      'list what happened to a contact, newest first',
      'roster contacts timeline asha@example.com --kinds activity',
    )
    .onAccount<LimitOptions & { kinds?: string }, [string]>(async ({ account, output, options }, contact) => {
      const id = await findContact(account, contact);
      const kinds = options.kinds === undefined ? {} : { kinds: options.kinds };
      await writeListing(output, options, (page) => account.contacts.timeline(id, { ...page, ...kinds }), {
        WHEN: (one) => one.occurred_at,
        WHAT: (one) => one.kind,
        CHANNEL: (one) => one.activity?.channel ?? one.change?.channel,
        DETAIL: ({ activity, change, request }) =>
          activity?.activity ?? request?.operation ?? [change?.from, change?.to].filter(Boolean).join(' → '),
        REQUEST: (one) => one.request?.request_id,
      });
    });

  addContactWrites(contacts);
  addContactChange(contacts);

  for (const [name, description] of [
    ['block', 'block a contact: it becomes blacklisted'],
    ['unblock', 'give a blocked contact the type that it had before'],
  ] as const) {
    onOne(name)
      .described(description, `roster contacts ${name} asha@example.com`)
      .onAccount<object, [string]>(async ({ account, output }, contact) => {
        const changed = await account.contacts[name](await findContact(account, contact));
        await output.result(changed, () => `Contact ${changed.contact_id} is now ${changed.contact_type}.`);
      });
  }

  onOne('export')
    .option('-o, --output <file>', 'write to this file; - or nothing: standard output')
    .described(
      'write everything that is known about a person, as JSON',
      'roster contacts export asha@example.com -o asha.json',
    )
    .onAccount<{ output?: string }, [string]>(async ({ account, output, options }, contact) => {
      const file = outputFile(options.output);
      if (file !== undefined) await requireWritable(file);
      const id = await findContact(account, contact);
      const found = await account.contacts.export(id);
      if (file === undefined) {
        await output.result(found, () => JSON.stringify(found, null, 2));
        return;
      }
      // The file holds personal data, so that only its owner may read it.
      const target = createWriteStream(pathFromCaller(file), { mode: 0o600 });
      await pipeline([`${JSON.stringify(found, null, 2)}\n`], target);
      await output.result({ contact_id: id, file }, () => `Wrote ${file}.`);
    });

  onOne('erase')
    .confirmed()
    .option('--no-wait', 'do not wait until all traces are erased')
    .described(
      'erase a person and all traces of the person; this cannot be undone',
      'roster contacts erase asha@example.com --yes',
    )
    .onAccount<{ wait: boolean }, [string]>(async ({ account, output, options, confirm }, contact) => {
      const id = await findContact(account, contact);
      await confirm(`Erase contact ${id} of account ${account.accountId}?`);
      const begun = await account.contacts.erase(id);
      const done = options.wait ? await account.erasures.wait(begun.request_id) : begun;
      await output.result(done, () =>
        done.status === 'done'
          ? `Erased contact ${id}.`
          : `The contact is erased, its traces are being erased. Follow it with: roster erasures show ${done.request_id}`,
      );
    });
}
