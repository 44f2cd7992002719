import { setTimeout as sleep } from 'node:timers/promises';
import type { DerivedAttributes, NewActivity } from '@roster/client';
import type { RosterCommand } from '../../terminal/command.ts';
import { fileOrInput, readRecords } from '../../terminal/input.ts';
import { sendItems, withWait, type WaitOptions } from '../../terminal/outcome.ts';
import { catchInterrupt } from '../../terminal/interrupt.ts';
import { fields, type Output } from '../../terminal/output.ts';
import { startProgress } from '../../terminal/progress.ts';
import { table } from '../../terminal/table.ts';

// Milliseconds between two questions for the progress.
const pollInterval = 500;

/** Adds `roster activities`: recording activities, and the attributes that are computed from them. */
export function addActivityCommands(program: RosterCommand): void {
  const { terminal } = program;
  const activities = program.command('activities').description('what was sent to people, and what they did');

  withWait(activities.command('record').argument('[file]', `NDJSON or a JSON array: ${fileOrInput}`))
    .described(
      'record activities; give each an id, so that you can send it again',
      'roster activities record activities.ndjson',
      `echo '{"identity": "asha@example.com", "channel": "email", "activity": "open", "occurred_at": "2026-01-31T09:00:00Z", "id": "evt-1"}' | roster activities record`,
    )
    .onAccount<WaitOptions, [string | undefined]>((call, file) =>
      sendItems(call, (more) =>
        call.account.activities.record(readRecords<NewActivity>(terminal, file, more.signal), more),
      ),
    );

  activities
    .command('derived')
    .described('show the attributes that are computed from activities, and their state', 'roster activities derived')
    .onAccount(async ({ account, output }) => writeDerived(output, await account.activities.derived()));

  activities
    .command('rebuild-derived')
    .option('--no-wait', 'end at once, before the attributes are computed')
    .described('compute these attributes again from the activities', 'roster activities rebuild-derived')
    .onAccount<WaitOptions>(async ({ account, output, options }) => {
      using interrupt = catchInterrupt();
      const { signal } = interrupt;
      let found = await account.activities.rebuildDerived({ signal });
      if (options.wait) {
        using progress = await startProgress(terminal, 'Computing', 'rows');
        while (found.progress !== null) {
          progress.update(found.progress.done, found.progress.total);
          await sleep(pollInterval, undefined, { signal });
          found = await account.activities.derived({ signal });
        }
      }
      await writeDerived(output, found);
    });
}

async function writeDerived(output: Output, found: DerivedAttributes): Promise<void> {
  await output.result(found, async () => {
    const { state, progress, attributes } = found;
    const head = fields(output, {
      state,
      ...(progress === null ? {} : { progress: `${progress.done} of ${progress.total} activities` }),
    });
    const rows = attributes.map(({ name, data_type, description }) => [name, data_type, description]);
    return `${head}\n\n${await table(output, ['NAME', 'TYPE', 'DESCRIPTION'], rows)}`;
  });
}
