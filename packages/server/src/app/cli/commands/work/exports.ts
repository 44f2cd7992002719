import type { CreateExportBody, Export } from '@roster/client';
import { blocklistTypes, exportStatuses, type BlocklistType } from '@roster/contract';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { given } from '#platform/given.ts';
import type { AccountCall, RosterCommand } from '../../terminal/command.ts';
import { readFilter } from '../../terminal/input.ts';
import { table } from '../../terminal/table.ts';
import { writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';
import { names } from '../contacts/contact-rows.ts';

interface FilterOptions extends LimitOptions {
  readonly status?: Export['status'];
}

interface ExportOptions {
  readonly filter?: string;
  readonly list?: number;
  readonly segment?: number;
  readonly attributes?: readonly string[];
  readonly blocklist?: BlocklistType;
  readonly unmasked?: boolean;
  readonly gzip?: boolean;
}

/** Adds `roster exports`: the exports of an account. `roster export` makes and downloads one. */
export function addExportsCommands(program: RosterCommand): void {
  const exports = program
    .command('exports')
    .description('exports of an account; `roster export` makes and downloads one');
  const onOne = (name: string) => exports.command(name).argument('<request_id>', 'identifier of the export');

  exports
    .command('list')
    .limited()
    .choice('--status <status>', 'only exports of this status', exportStatuses)
    .described('list the newest exports', 'roster exports list')
    .onAccount<FilterOptions>(({ account, output, options: { limit, status } }) =>
      writeListing(output, given({ limit }), (page) => account.exports.list({ ...page, ...given({ status }) }), {
        EXPORT: (one) => one.request_id,
        ACCEPTED: (one) => one.accepted_at,
        STATUS: (one) => one.status,
        ROWS: (one) => one.rows_written,
        AUTHOR: (one) => one.author,
        EXPIRES: (one) => one.expires_at,
      }),
    );

  onOne('show')
    .described('show an export', 'roster exports show 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) => writeRecord(output, await account.exports.get(id)));

  withExport(exports.command('create'))
    .described(
      'export the contacts of a filter, a list or a segment, or all; get the file with roster export --request',
      'roster exports create --filter filter.json --attributes EMAIL,CITY',
    )
    .onAccount<ExportOptions>(async (call) => {
      const made = await call.account.exports.create(await bodyOf(call));
      const { request_id: id } = made;
      await call.output.result(made, () => id);
      if (!call.output.json)
        await call.output.note(`To download the file: roster export --request ${id} -o contacts.csv`);
    });

  withExport(exports.command('preview'))
    .described(
      'show the first rows of the file that an export would write',
      'roster exports preview --segment 7 --attributes EMAIL,CITY',
    )
    .onAccount<ExportOptions>(async (call) => {
      const { output } = call;
      const { compression: _, ...body } = await bodyOf(call);
      const found = await call.account.exports.preview(body);
      await output.result(found, () => table(output, found.columns, found.rows));
      if (!output.json)
        await output.note(`The file would have ${found.is_estimate ? 'about ' : ''}${found.rows_total} rows.`);
    });

  onOne('cancel')
    .described('cancel an export', 'roster exports cancel 019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11')
    .onAccount<object, [string]>(async ({ account, output }, id) => {
      const cancelled = await account.exports.cancel(id);
      await output.result(cancelled, () => `The export is ${cancelled.status}.`);
    });
}

function withExport(command: RosterCommand): RosterCommand {
  return command
    .choice('--blocklist <channel>', 'leave out contacts that opted out of this channel', blocklistTypes)
    .option('--filter <file>', 'contacts that match this filter; - for standard input')
    .option('--list <audience_id>', 'members of this list', positiveInteger)
    .option('--segment <audience_id>', 'contacts of this segment', positiveInteger)
    .option('--attributes <names>', 'columns, separated by commas (default: primary key, EMAIL, MOBILE)', names)
    .option('--unmasked', 'show masked values in full')
    .option('--gzip', 'compress the file');
}

async function bodyOf({ options, terminal }: AccountCall<ExportOptions>): Promise<CreateExportBody> {
  const { filter, list, segment, attributes, blocklist: blocklist_type, unmasked, gzip } = options;
  if ([filter, list, segment].filter((one) => one !== undefined).length > 1) {
    throw new CommandError(exitCodes.usage, 'Use only one of --filter, --list and --segment.');
  }
  const audience_id = list ?? segment;
  const audience_type = segment === undefined ? ('list' as const) : ('segment' as const);
  return {
    ...(audience_id === undefined
      ? { filter: filter === undefined ? {} : await readFilter(terminal, filter) }
      : { audience_type, audience_id }),
    ...given({ blocklist_type, unmasked }),
    ...(attributes === undefined ? {} : { attributes: [...attributes] }),
    ...(gzip === true ? { compression: 'gzip' as const } : {}),
  };
}
