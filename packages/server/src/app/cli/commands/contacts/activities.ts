import type { NewActivity } from '@roster/client';
import type { Command } from 'commander';
import { described, onAccount } from '../../terminal/call.ts';
import { fileOrInput, readRecords } from '../../terminal/input.ts';
import { sendItems, withWait, type WaitOptions } from '../../terminal/outcome.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** Adds `roster activities record`. */
export function addActivityCommands(program: Command, terminal: Terminal): void {
  const activities = program.command('activities').description('what was sent to people, and what they did');

  onAccount<WaitOptions, [string | undefined]>(
    terminal,
    described(
      withWait(activities.command('record').argument('[file]', `NDJSON or a JSON array: ${fileOrInput}`)),
      'record activities; give each an id, so that you can send it again',
      'roster activities record activities.ndjson',
      `echo '{"identity": "asha@example.com", "channel": "email", "activity": "open", "occurred_at": "2026-01-31T09:00:00Z", "id": "evt-1"}' | roster activities record`,
    ),
    (call, file) =>
      sendItems(call, (more) => call.account.activities.record(readRecords<NewActivity>(terminal, file), more)),
  );
}
