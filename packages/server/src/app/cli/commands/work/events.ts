import { InvalidArgumentError } from 'commander';
import type { RosterCommand } from '../../terminal/command.ts';
import { catchInterrupt } from '../../terminal/interrupt.ts';
import { writeRows, type LimitOptions } from '../../terminal/records.ts';
import { write } from '../../terminal/terminal.ts';

interface BeginOptions {
  readonly after?: number | undefined;
  readonly since?: string | undefined;
}

/** Reads a position of the event feed. */
export function readPosition(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a position of the event feed, such as 1200.');
}

const defaultLimit = 50;
// The largest page of the feed.
const eventsPerPage = 10_000;

/** Adds `roster events`: the event feed. */
export function addEventCommands(program: RosterCommand): void {
  const { terminal } = program;
  const events = program.command('events').description('changes of contacts, for other systems');
  const withBegin = (command: RosterCommand) =>
    command
      .option('--after <position>', 'only events after this position (default: from the oldest)', readPosition)
      .option('--since <time>', 'only events from this time on, such as 2026-03-01T09:00:00Z');

  withBegin(events.command('list'))
    .limited()
    .described('list events, oldest first', 'roster events list --after 1200 --limit 100')
    .onAccount<BeginOptions & LimitOptions>(
      async ({ account, output, options: { after, since, limit = defaultLimit } }) => {
        const rows = [];
        for (let begin: BeginOptions = { after, since }; rows.length < limit;) {
          const page = await account.events.read({ ...begin, limit: Math.min(eventsPerPage, limit - rows.length) });
          if (page.data.length === 0) break;
          rows.push(...page.data);
          begin = { after: page.next_after };
        }
        await writeRows(output, rows, {
          POSITION: (one) => one.position,
          WHEN: (one) => one.occurred_at,
          KIND: (one) => one.kind,
          CONTACT: (one) => one.contact_id,
          DETAILS: (one) => JSON.stringify(one.details),
        });
      },
    );

  withBegin(events.command('follow'))
    .described(
      'write each event as a line of JSON, and wait for new ones, until Ctrl-C',
      'roster events follow --after 1200',
    )
    .onAccount<BeginOptions>(async ({ account, options: { after, since } }) => {
      using interrupt = catchInterrupt();
      for await (const event of account.events.follow({ after, since, signal: interrupt.signal })) {
        await write(terminal.stdout, `${JSON.stringify(event)}\n`);
      }
    });
}
