import type { RunningWork } from '@roster/client';
import type { RosterCommand } from '../../terminal/command.ts';
import { catchInterrupt } from '../../terminal/interrupt.ts';
import { writeRows, type Columns } from '../../terminal/records.ts';
import { write } from '../../terminal/terminal.ts';

const columns: Columns<RunningWork> = {
  KIND: (one) => one.kind,
  ID: (one) => one.id,
  TITLE: (one) => one.title,
  STATUS: (one) => one.status,
  PERCENT: (one) => one.percent,
  FAILED: (one) => one.rows_failed,
};

/** Adds `roster running`: imports, exports, bulk changes, erasures and indexes that run. */
export function addRunningCommand(program: RosterCommand): void {
  const { terminal } = program;
  program
    .command('running')
    .option('--follow', 'write a line of JSON after each change, until Ctrl-C')
    .described(
      'show the work of an account that waits, runs or has just ended',
      'roster running',
      'roster running --follow',
    )
    .onAccount<{ follow?: boolean }>(async ({ account, output, options }) => {
      if (options.follow !== true) return await writeRows(output, await account.running.list(), columns);
      using interrupt = catchInterrupt();
      for await (const work of account.running.follow({ signal: interrupt.signal })) {
        await write(terminal.stdout, `${JSON.stringify(work)}\n`);
      }
    });
}
