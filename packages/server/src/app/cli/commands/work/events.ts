import { InvalidArgumentError, type Command } from 'commander';
import { described, onAccount } from '../../terminal/call.ts';
import { catchInterrupt } from '../../terminal/interrupt.ts';
import { withLimit, writeRows, type LimitOptions } from '../../terminal/records.ts';
import { write, type Terminal } from '../../terminal/terminal.ts';

interface AfterOptions {
  readonly after?: number;
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
export function addEventCommands(program: Command, terminal: Terminal): void {
  const events = program.command('events').description('changes of contacts, for other systems');
  const withAfter = (command: Command) =>
    command.option('--after <position>', 'only events after this position (default: from the oldest)', readPosition);

  onAccount<AfterOptions & LimitOptions>(
    terminal,
    described(
      withLimit(withAfter(events.command('list'))),
      'list events, oldest first',
      'roster events list --after 1200 --limit 100',
    ),
    async ({ account, output, options: { after, limit = defaultLimit } }) => {
      const rows = [];
      for (let position = after; rows.length < limit;) {
        const page = await account.events.read({
          ...(position === undefined ? {} : { after: position }),
          limit: Math.min(eventsPerPage, limit - rows.length),
        });
        if (page.data.length === 0) break;
        rows.push(...page.data);
        position = page.next_after;
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

  onAccount<AfterOptions>(
    terminal,
    described(
      withAfter(events.command('follow')),
      'write each event as a line of JSON, and wait for new ones, until Ctrl-C',
      'roster events follow --after 1200',
    ),
    async ({ account, options: { after } }) => {
      using interrupt = catchInterrupt();
      for await (const event of account.events.follow({ after, signal: interrupt.signal })) {
        await write(terminal.stdout, `${JSON.stringify(event)}\n`);
      }
    },
  );
}
