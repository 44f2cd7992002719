import type { Accepted, BatchOptions, ContactDeletion, ContactUpdate, NewContact } from '@roster/client';
import type { Command } from 'commander';
import { described, onAccount, withChoice, withConfirmation, type ConfirmOptions } from '../../terminal/call.ts';
import { fileOrInput, readRecords } from '../../terminal/input.ts';
import { withWait, sendItems, type WaitOptions } from '../../terminal/outcome.ts';
import { requireConfirmation, type Terminal } from '../../terminal/terminal.ts';

interface WriteOptions extends WaitOptions {
  readonly type?: 'identified' | 'anonymous';
}

/** Adds `create`, `update` and `delete`: they send any number of contacts from a file. */
export function addContactWrites(contacts: Command, terminal: Terminal): void {
  const fromFile = (name: string) =>
    withWait(contacts.command(name).argument('[file]', `NDJSON or a JSON array: ${fileOrInput}`));

  onAccount<WriteOptions, [string | undefined]>(
    terminal,
    described(
      withChoice(fromFile('create'), '--type <type>', 'type of the contacts (default: identified)', [
        'identified',
        'anonymous',
      ]),
      'create contacts, or merge them into those that exist',
      'roster contacts create contacts.ndjson',
      `echo '{"identity": "asha@example.com", "attributes": {"CITY": "Pune"}}' | roster contacts create`,
    ),
    async (call, file) => {
      const { account, options } = call;
      const type = options.type === undefined ? {} : { contactType: options.type };
      const send = (more: BatchOptions): Promise<Accepted> =>
        account.asApiKey.contacts.create(readRecords<NewContact>(terminal, file, more.signal), { ...type, ...more });
      await sendItems(call, send);
    },
  );

  onAccount<WaitOptions, [string | undefined]>(
    terminal,
    described(
      fromFile('update'),
      'change contacts that exist; contact_id, identity, email or mobile names each of them',
      `echo '{"identity": "asha@example.com", "attributes": {"CITY": "Mumbai"}}' | roster contacts update`,
    ),
    (call, file) =>
      sendItems(call, (more) =>
        call.account.asApiKey.contacts.update(readRecords<ContactUpdate>(terminal, file, more.signal), more),
      ),
  );

  onAccount<WaitOptions & ConfirmOptions, [string | undefined]>(
    terminal,
    described(
      withConfirmation(fromFile('delete')),
      'delete contacts, or remove them from the lists in audience_details',
      `echo '{"identity": "asha@example.com"}' | roster contacts delete --yes`,
    ),
    async (call, file) => {
      const source = file ?? 'standard input';
      await requireConfirmation(terminal, call.options, `Delete the contacts that ${source} names?`);
      await sendItems(call, (more) =>
        call.account.asApiKey.contacts.delete(readRecords<ContactDeletion>(terminal, file, more.signal), more),
      );
    },
  );
}
