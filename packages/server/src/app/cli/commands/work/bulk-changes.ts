import type { AccountOperator, BulkChange, CreateBulkChangeBody } from '@roster/client';
import { bulkActions, bulkChangeStatuses, optOutChannels } from '@roster/contract';
import { Option } from 'commander';
import { given } from '#platform/given.ts';
import type { AccountCall, RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { readFilter } from '../../terminal/input.ts';
import { catchInterrupt } from '../../terminal/interrupt.ts';
import { withWait, type WaitOptions } from '../../terminal/outcome.ts';
import { startProgress } from '../../terminal/progress.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger, positiveIntegers } from '../../terminal/session.ts';

type Action = CreateBulkChangeBody['action'];
type Selection = Omit<CreateBulkChangeBody, 'action' | 'expected_count'>;

interface CreateOptions extends WaitOptions {
  readonly filter?: string;
  readonly list?: number;
  readonly segment?: number;
  readonly contact?: readonly number[];
  readonly all?: boolean;
  readonly toList?: number;
  readonly attribute?: string;
  readonly value?: string;
  readonly channel?: NonNullable<Action['channels']>;
}

/** Adds `roster bulk-changes`: one action on many contacts. */
export function addBulkChangeCommands(program: RosterCommand): void {
  const changes = program.command('bulk-changes').description('one action on many contacts');
  const onOne = (name: string) => changes.command(name).argument('<bulk_change_id>', 'identifier of the bulk change');

  changes
    .command('list')
    .limited()
    .choice('--status <status>', 'only bulk changes of this status', bulkChangeStatuses)
    .described('list the newest bulk changes', 'roster bulk-changes list')
    .onAccount<LimitOptions & { status?: BulkChange['status'] }>(({ account, output, options: { limit, status } }) =>
      writeListing(output, given({ limit }), (page) => account.bulkChanges.list({ ...page, ...given({ status }) }), {
        'BULK CHANGE': (one) => one.bulk_change_id,
        ACTION: (one) => one.action.type,
        STATUS: (one) => one.status,
        CONTACTS: (one) => one.expected_count,
        CHANGED: (one) => one.counts.changed,
        FAILED: (one) => one.counts.failed,
        AUTHOR: (one) => one.author,
      }),
    );

  onOne('show')
    .described('show a bulk change with its progress', 'roster bulk-changes show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) =>
      writeRecord(output, await account.bulkChanges.get(id)),
    );

  withWait(
    changes
      .command('create')
      .addArgument(changes.createArgument('<action>', 'what to do').choices(bulkActions))
      .confirmed(),
  )
    .option('--filter <file>', 'contacts that match this filter; - for standard input')
    .option('--list <audience_id>', 'members of this list', positiveInteger)
    .option('--segment <audience_id>', 'contacts of this segment', positiveInteger)
    .option('--contact <contact_id>', 'this contact (repeatable)', positiveIntegers)
    .option('--all', 'all contacts of the account')
    .option('--to-list <audience_id>', 'list of add_to_list and remove_from_list', positiveInteger)
    .option('--attribute <name>', 'attribute of set_attribute')
    .option('--value <value>', 'value of set_attribute; absent: removes the value')
    .addOption(new Option('--channel <channel...>', 'channels of opt_out and opt_in').choices(optOutChannels))
    .described(
      'do something with many contacts; counts them and asks first',
      'roster bulk-changes create add_to_list --filter filter.json --to-list 3',
      'roster bulk-changes create opt_out --segment 7 --channel sms --yes',
    )
    .onAccount<CreateOptions, [Action['type']]>(async (call, type) => create(call, type));

  onOne('cancel')
    .described(
      'cancel a bulk change; contacts that were changed stay changed',
      'roster bulk-changes cancel 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    )
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const cancelled = await account.bulkChanges.cancel(id);
      await output.result(cancelled, () => `The bulk change is ${cancelled.status}.`);
    });

  onOne('failures')
    .limited()
    .described(
      'list the contacts that failed, or of which a part was left out',
      'roster bulk-changes failures 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
    )
    .onAccount<LimitOptions, [string]>(({ account, output, options }, id) =>
      writeListing(output, options, (page) => account.bulkChanges.failures(id, page), {
        CONTACT: (one) => one.contact_id,
        CODE: (one) => one.code,
        FIELD: (one) => one.field,
        REASON: (one) => one.message,
      }),
    );
}

async function create(call: AccountCall<CreateOptions>, type: Action['type']): Promise<void> {
  const { account, output, options } = call;
  const { toList: audience_id, attribute, value, channel: channels } = options;
  const selection = await selectionOf(call);
  const count = await countOf(account, selection);
  await call.confirm(`${type} for ${count.toLocaleString('en')} contacts of account ${account.accountId}?`);
  const setsValue = type === 'set_attribute' ? { value: value ?? null } : {};
  const action = { type, ...given({ audience_id, attribute, channels }), ...setsValue };
  const made = await account.bulkChanges.create({ ...selection, action, expected_count: count });
  const ended = options.wait ? await waitForEnd(call, made.bulk_change_id) : made;
  await writeRecord(
    output,
    output.json ? ended : { bulk_change_id: ended.bulk_change_id, status: ended.status, counts: ended.counts },
  );
  if (ended.status === 'failed')
    throw new CommandError(exitCodes.failed, ended.failure?.message ?? 'The bulk change failed.');
  const { failed } = ended.counts;
  if (failed > 0)
    throw new CommandError(exitCodes.someFailed, failed === 1 ? 'One contact failed.' : `${failed} contacts failed.`);
}

async function waitForEnd({ account, terminal }: AccountCall, id: string): Promise<BulkChange> {
  using interrupt = catchInterrupt();
  using progress = await startProgress(terminal, 'Changing', 'percent');
  return await account.bulkChanges.wait(id, {
    signal: interrupt.signal,
    onProgress: (seen) => progress.update(seen.progress.percent, 100),
  });
}

/** Returns the selected contacts. Throws unless exactly one option selects them. */
async function selectionOf({ options, terminal }: AccountCall<CreateOptions>): Promise<Selection> {
  const { filter, list, segment, contact, all } = options;
  const selected = [filter, list, segment, contact, all].filter((one) => one !== undefined);
  if (selected.length !== 1) {
    throw new CommandError(
      exitCodes.usage,
      'Choose the contacts with one of --filter, --list, --segment, --contact or --all.',
    );
  }
  if (filter !== undefined) return await readFilter(terminal, filter);
  if (list !== undefined) return { audience_type: 'list', audience_id: [list] };
  if (segment !== undefined) return { audience_type: 'segment', audience_id: [segment] };
  return contact === undefined ? { all_contacts: true } : { contact_ids: [...contact] };
}

/** Counts the contacts that a person confirms. The service refuses the change if the number differs. */
async function countOf(account: AccountOperator, selection: Selection): Promise<number> {
  const { contact_ids: ids, audience_type, audience_id, all_contacts: _, ...filter } = selection;
  if (ids !== undefined) return ids.length;
  const { contacts } = account.asApiKey;
  if (audience_type === undefined || audience_id === undefined) return await contacts.count(filter);
  const output = { get_count: true, fields: ['contact_id'], pagination: { limit: 1 } };
  return (await contacts.audiencePage({ audience_type, audience_id, output })).count ?? 0;
}
