import type { Accepted, BatchOptions, ContactDeletion, ContactUpdate, NewContact } from '@roster/client';
import type { RosterCommand } from '../../terminal/command.ts';
import { fileOrInput, readRecords } from '../../terminal/input.ts';
import { withWait, sendItems, type WaitOptions } from '../../terminal/outcome.ts';

interface WriteOptions extends WaitOptions {
  readonly type?: 'identified' | 'anonymous';
}

/** Adds `create`, `update` and `delete`: they send any number of contacts from a file. */
export function addContactWrites(contacts: RosterCommand): void {
  const { terminal } = contacts;
  const fromFile = (name: string) =>
    withWait(contacts.command(name).argument('[file]', `NDJSON or a JSON array: ${fileOrInput}`));

  fromFile('create')
    .choice('--type <type>', 'type of the contacts (default: identified)', ['identified', 'anonymous'])
    .described(
      'create contacts, or merge them into those that exist',
      'roster contacts create contacts.ndjson',
      `echo '{"identity": "asha@example.com", "attributes": {"CITY": "Pune"}}' | roster contacts create`,
    )
    .onAccount<WriteOptions, [string | undefined]>(async (call, file) => {
      const { account, options } = call;
      const type = options.type === undefined ? {} : { contactType: options.type };
      const send = (more: BatchOptions): Promise<Accepted> =>
        account.asApiKey.contacts.create(readRecords<NewContact>(terminal, file, more.signal), { ...type, ...more });
      await sendItems(call, send);
    });

  fromFile('update')
    .described(
      'change contacts that exist; contact_id, identity, email or mobile names each of them',
      `echo '{"identity": "asha@example.com", "attributes": {"CITY": "Mumbai"}}' | roster contacts update`,
    )
    .onAccount<WaitOptions, [string | undefined]>((call, file) =>
      sendItems(call, (more) =>
        call.account.asApiKey.contacts.update(readRecords<ContactUpdate>(terminal, file, more.signal), more),
      ),
    );

  fromFile('delete')
    .confirmed()
    .described(
      'delete contacts, or remove them from the lists in audience_details',
      `echo '{"identity": "asha@example.com"}' | roster contacts delete --yes`,
    )
    .onAccount<WaitOptions, [string | undefined]>(async (call, file) => {
      const source = file ?? 'standard input';
      await call.confirm(`Delete the contacts that ${source} names?`);
      await sendItems(call, (more) =>
        call.account.asApiKey.contacts.delete(readRecords<ContactDeletion>(terminal, file, more.signal), more),
      );
    });
}
