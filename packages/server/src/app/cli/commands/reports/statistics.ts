import type { ActivityStatisticsQuery, ListMessageActivitiesQuery, MessageStatistics } from '@roster/client';
import { activityKinds, channels, type ActivityKind } from '@roster/contract';
import { Option } from 'commander';
import { given } from '#platform/given.ts';
import type { RosterCommand } from '../../terminal/command.ts';
import { writeListing, writeRecord, writeRows, type Columns, type LimitOptions } from '../../terminal/records.ts';
import { positiveInteger } from '../../terminal/session.ts';

type Channel = NonNullable<ActivityStatisticsQuery['channel']>;

interface PeriodOptions {
  readonly from?: string;
  readonly to?: string;
}

interface ActivityOptions extends PeriodOptions {
  readonly channel?: Channel;
  readonly message?: number;
}

/** The columns with the numbers of activities. */
const activityColumns: Columns<Readonly<Record<ActivityKind, number>>> = Object.fromEntries(
  activityKinds.map((kind) => [kind.toUpperCase(), (one: Readonly<Record<ActivityKind, number>>) => one[kind]]),
);

/** Adds `roster statistics`: numbers about contacts, activities and the pipeline. */
export function addStatisticsCommands(program: RosterCommand): void {
  const statistics = program.command('statistics').description('numbers about contacts, activities and the pipeline');

  withPeriod(statistics.command('contacts'))
    .described(
      'show the contacts now, and what happened on each day',
      'roster statistics contacts --from 2026-01-01 --to 2026-01-31',
    )
    .onAccount<PeriodOptions>(async ({ account, output, options: { from, to } }) => {
      const found = await account.statistics.contacts(given({ from, to }));
      if (output.json) return await writeRecord(output, found);
      const { days, contacts, types, reach } = found;
      await writeRecord(output, { contacts, types, reach });
      await writeRows(output, days, {
        DAY: (one) => one.day,
        CONTACTS: (one) => one.contacts,
        CREATED: (one) => one.created,
        DELETED: (one) => one.deleted,
        'E-MAIL OPT-OUTS': (one) => one.opted_out.email,
      });
    });

  withMessage(withPeriod(statistics.command('activities')))
    .described('show the activities by day and channel', 'roster statistics activities --channel email')
    .onAccount<ActivityOptions>(async ({ account, output, options: { from, to, channel, message: message_id } }) => {
      const found = await account.statistics.activities(given({ from, to, channel, message_id }));
      if (output.json) return await writeRecord(output, found);
      await writeRows(output, found.days, { DAY: (one) => one.day, CHANNEL: (one) => one.channel, ...activityColumns });
    });

  withMessage(withPeriod(statistics.command('messages')))
    .limited()
    .described('list the messages with the numbers of their activities', 'roster statistics messages --from 2026-01-01')
    .onAccount<ActivityOptions & LimitOptions>(
      ({ account, output, options: { limit, from, to, channel, message: message_id } }) => {
        const query = given({ from, to, channel, message_id });
        return writeListing<MessageStatistics>(
          output,
          given({ limit }),
          (page) => account.statistics.messages({ ...page, ...query }),
          {
            MESSAGE: (one) => one.message_id,
            NAME: (one) => one.name,
            CHANNELS: (one) => one.channels.join(' '),
            'LAST DAY': (one) => one.last_day,
            ...activityColumns,
          },
        );
      },
    );

  withChannel(withPeriod(statistics.command('people')).limited())
    .argument('<message_id>', 'number of the message', positiveInteger)
    .addOption(new Option('--activity <activity>', 'what the people did').choices(activityKinds).makeOptionMandatory())
    .described('list the people with an activity of a message', 'roster statistics people 4711 --activity click')
    .onAccount<PeriodOptions & LimitOptions & Pick<ListMessageActivitiesQuery, 'activity' | 'channel'>, [number]>(
      ({ account, output, options: { limit, from, to, channel, activity } }, messageId) => {
        const query = { activity, ...given({ from, to, channel }) };
        return writeListing(
          output,
          given({ limit }),
          (page) => account.statistics.people(messageId, { ...page, ...query }),
          {
            CONTACT: (one) => one.contact_id,
            IDENTITY: (one) => one.identity,
            WHEN: (one) => one.occurred_at,
            CHANNEL: (one) => one.channel,
            TIMES: (one) => one.count,
            LINK: (one) => one.link,
          },
        );
      },
    );

  statistics
    .command('pipeline')
    .option('--failed-since <moment>', 'count failures since this time (default: a day ago)')
    .described('show what waits, what runs and what failed', 'roster statistics pipeline')
    .onAccount<{ failedSince?: string }>(async ({ account, output, options: { failedSince: failed_since } }) => {
      const found = await account.statistics.pipeline(given({ failed_since }));
      if (output.json) return await writeRecord(output, found);
      const { failures, running, ...rest } = found;
      const failed = Object.fromEntries(failures.map(({ kind, count }) => [kind, count]));
      await writeRecord(output, { ...rest, running: running.length, failed });
    });
}

function withPeriod(command: RosterCommand): RosterCommand {
  return command
    .option('--from <day>', 'first day, such as 2026-01-31 (default: 30 days ago)')
    .option('--to <day>', 'last day (default: today)');
}

function withChannel(command: RosterCommand): RosterCommand {
  return command.choice('--channel <channel>', 'only this channel', channels);
}

function withMessage(command: RosterCommand): RosterCommand {
  return withChannel(command).option('--message <message_id>', 'only this message', positiveInteger);
}
