import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { CommandError, exitCodes } from '../../terminal/exit-codes.ts';
import { fileOrInput, readFilter } from '../../terminal/input.ts';
import { writeAll, writeListing, writeRecord, writeRows, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';
import { withFields, writeContacts, type SearchOptions } from './contact-rows.ts';

interface UpdateOptions {
  readonly name?: string;
  readonly filter?: string;
  readonly live?: boolean;
}

/** Adds `roster segments`: audiences that are saved filters. */
export function addSegmentCommands(program: RosterCommand): void {
  const segments = program.command('segments').description('segments of an account: audiences that are saved filters');
  const onOne = (name: string) =>
    segments.command(name).argument('<audience_id>', 'number of the segment', positiveInteger);

  segments
    .command('list')
    .described('list the segments', 'roster segments list --contains gold')
    .option('--contains <text>', 'only segments with this text in their name')
    .onAccount<{ contains?: string }>(({ account, output, options }) =>
      writeAll(output, (page) => account.segments.list({ ...page, ...given({ contains: options.contains }) }), {
        SEGMENT: (one) => one.audience_id,
        NAME: (one) => one.name,
        LIVE: (one) => one.live?.state ?? '',
        'USED BY': (one) => one.use_count,
        UPDATED: (one) => one.updated_at,
      }),
    );

  onOne('show')
    .described('show a segment with its filter', 'roster segments show 7 --json')
    .onAccount<object, [number]>(async ({ account, output }, audienceId) => {
      const found = await account.segments.get(audienceId);
      if (output.json) return writeRecord(output, found);
      const { filtering_criteria: criteria, filtering_criteria_operator: operator, uses: _, ...rest } = found;
      await writeRecord(output, rest);
      await output.result(
        criteria,
        () =>
          `\nfilter\n${JSON.stringify({ filtering_criteria_operator: operator, filtering_criteria: criteria }, null, 2)}`,
      );
    });

  segments
    .command('create')
    .argument('<name>', 'name of the segment')
    .argument('[filter]', fileOrInput)
    .option('--live', 'store the members and follow every change')
    .described(
      'create a segment from a filter in JSON',
      'roster segments create "Gold in Pune" filter.json',
      `echo '[{"condition_details": [{"field": "CITY", "operation": "equals", "value": ["Pune"]}]}]' | roster segments create Pune`,
    )
    .onAccount<{ live?: boolean }, [string, string | undefined]>(
      async ({ account, output, options: { live }, terminal: own }, name, file) => {
        const filter = await readFilter(own, file);
        const made = await account.segments.create({ name, filtering_criteria: [], ...filter, ...given({ live }) });
        await output.result(made, () => `Created segment ${made.audience_id}.`);
      },
    );

  onOne('rename')
    .argument('<name>', 'new name')
    .described('rename a segment', 'roster segments rename 7 "Gold"')
    .onAccount<object, [number, string]>(async ({ account, output }, audienceId, name) => {
      const changed = await account.segments.update(audienceId, { name });
      await output.result(changed, () => `Segment ${audienceId} is now "${changed.name}".`);
    });

  onOne('update')
    .option('--name <name>', 'new name')
    .option('--filter <file>', 'file with the new filter; - for standard input')
    .option('--live', 'store the members and follow every change')
    .option('--no-live', 'no longer follow changes')
    .described(
      'change the name or the filter of a segment, or make it live',
      'roster segments update 7 --filter filter.json',
      'roster segments update 7 --live',
    )
    .onAccount<UpdateOptions, [number]>(
      async ({ account, output, options: { name, filter: file, live }, terminal: own }, audienceId) => {
        if (name === undefined && file === undefined && live === undefined)
          throw new CommandError(exitCodes.usage, 'Use --name, --filter, --live or --no-live.');
        const filter = file === undefined ? {} : await readFilter(own, file);
        const changed = await account.segments.update(audienceId, { ...given({ name, live }), ...filter });
        await output.result(changed, () => `Changed segment ${audienceId}.`);
      },
    );

  onOne('count')
    .described('count the contacts that match now', 'roster segments count 7')
    .onAccount<object, [number]>(async ({ account, output }, audienceId) => {
      const count = await account.segments.count(audienceId);
      await output.result({ audience_id: audienceId, count }, () => String(count));
    });

  withFields(onOne('contacts'))
    .limited()
    .described('list the contacts that match now', 'roster segments contacts 7 --fields EMAIL,CITY --limit all')
    .onAccount<SearchOptions, [number]>((call, audienceId) =>
      writeContacts(call, {}, { audience_type: 'segment', audience_id: audienceId }),
    );

  onOne('growth')
    .option('--from <day>', 'first day, such as 2026-01-31 (default: 30 days ago)')
    .described(
      'show how many contacts the segment had on each day, and of a live segment, how many entered and left',
      'roster segments growth 7',
    )
    .onAccount<{ from?: string }, [number]>(async ({ account, output, options }, audienceId) => {
      const { days, live_days: liveDays } = await account.segments.growth(audienceId, given({ from: options.from }));
      const counted = new Map(days.map(({ day, contacts }) => [day, contacts]));
      const live = new Map(liveDays.map((one) => [one.day, one]));
      // Some days have only a count, others only entries and departures.
      const rows = [...new Set([...counted.keys(), ...live.keys()])].toSorted().map((day) => ({
        day,
        contacts: counted.get(day) ?? null,
        entered: live.get(day)?.entered ?? 0,
        left: live.get(day)?.left ?? 0,
      }));
      await writeRows(output, rows, {
        DAY: ({ day }) => day,
        CONTACTS: ({ contacts }) => contacts ?? '',
        ENTERED: ({ entered }) => entered,
        LEFT: ({ left }) => left,
      });
    });

  onOne('changes')
    .limited()
    .described(
      'list the contacts that entered and left a live segment, newest first',
      'roster segments changes 7 --limit 100',
    )
    .onAccount<LimitOptions, [number]>(({ account, output, options }, audienceId) =>
      writeListing(output, options, (page) => account.segments.changes(audienceId, page), {
        CONTACT: (one) => one.contact_id,
        CHANGE: (one) => one.change,
        CAUSE: (one) => one.cause,
        AT: (one) => one.occurred_at,
      }),
    );

  onOne('delete')
    .confirmed()
    .described('delete a segment; its contacts stay', 'roster segments delete 7 --yes')
    .onAccount<object, [number]>(async ({ account, output, confirm }, audienceId) => {
      await confirm(`Delete segment ${audienceId} of account ${account.accountId}?`);
      await account.segments.delete(audienceId);
      await output.result({ audience_id: audienceId, deleted: true }, () => `Deleted segment ${audienceId}.`);
    });
}
