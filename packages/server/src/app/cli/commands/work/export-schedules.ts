import type { CreateExportScheduleBody, UpdateExportScheduleBody } from '@roster/client';
import type { Command } from 'commander';
import { described, onAccount, withConfirmation, type ConfirmOptions } from '../../terminal/call.ts';
import { fileOrInput, readObject } from '../../terminal/input.ts';
import { withLimit, writeAll, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';
import { requireConfirmation, type Terminal } from '../../terminal/terminal.ts';

/** Adds `roster export-schedules`: exports at regular times. */
export function addExportScheduleCommands(program: Command, terminal: Terminal): void {
  const schedules = program.command('export-schedules').description('exports at regular times');
  const onOne = (name: string) => schedules.command(name).argument('<schedule_id>', 'identifier of the schedule');
  const id = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

  onAccount(
    terminal,
    described(schedules.command('list'), 'list the schedules', 'roster export-schedules list'),
    ({ account, output }) =>
      writeAll(output, (page) => account.exportSchedules.list(page), {
        SCHEDULE: (one) => one.schedule_id,
        NAME: (one) => one.name,
        STATUS: (one) => one.status,
        'NEXT RUN': (one) => one.next_run_at,
        'LAST RUN': (one) => one.last_run?.status,
        AUTHOR: (one) => one.author,
      }),
  );

  onAccount<object, [string]>(
    terminal,
    described(onOne('show'), 'show a schedule', `roster export-schedules show ${id} --json`),
    async ({ account, output }, scheduleId) => writeRecord(output, await account.exportSchedules.get(scheduleId)),
  );

  onAccount<object, [string | undefined]>(
    terminal,
    described(
      schedules.command('create').argument('[file]', `JSON, as in docs/contract/exports.md: ${fileOrInput}`),
      'create a schedule from JSON',
      `echo '{"name": "Every morning", "filter": {}, "timing": {"every": "day", "at": "06:00"}}' | roster export-schedules create`,
    ),
    async ({ account, output }, file) => {
      const made = await account.exportSchedules.create(await readObject<CreateExportScheduleBody>(terminal, file));
      await output.result(made, () => `Created the schedule ${made.schedule_id}. Its next run: ${made.next_run_at}.`);
    },
  );

  onAccount<object, [string, string | undefined]>(
    terminal,
    described(
      onOne('update').argument('[file]', `JSON with the fields to change: ${fileOrInput}`),
      'change a schedule; fields that are absent stay',
      `echo '{"paused": true}' | roster export-schedules update ${id}`,
    ),
    async ({ account, output }, scheduleId, file) => {
      const change = await readObject<UpdateExportScheduleBody>(terminal, file);
      await writeRecord(output, await account.exportSchedules.update(scheduleId, change));
    },
  );

  onAccount<ConfirmOptions, [string]>(
    terminal,
    described(
      withConfirmation(onOne('delete')),
      'delete a schedule; files that it wrote stay until they expire',
      `roster export-schedules delete ${id} --yes`,
    ),
    async ({ account, output, options }, scheduleId) => {
      await requireConfirmation(terminal, options, `Delete the schedule ${scheduleId}?`);
      await account.exportSchedules.delete(scheduleId);
      await output.result({ schedule_id: scheduleId, deleted: true }, () => `Deleted the schedule ${scheduleId}.`);
    },
  );

  onAccount<object, [string]>(
    terminal,
    described(onOne('run'), 'start a run now', `roster export-schedules run ${id}`),
    async ({ account, output }, scheduleId) => writeRecord(output, await account.exportSchedules.run(scheduleId)),
  );

  onAccount<LimitOptions, [string]>(
    terminal,
    described(
      withLimit(onOne('runs')),
      'list the runs of a schedule, newest first',
      `roster export-schedules runs ${id}`,
    ),
    ({ account, output, options }, scheduleId) =>
      writeListing(output, options, (page) => account.exportSchedules.runs(scheduleId, page), {
        DUE: (one) => one.due_at,
        STATUS: (one) => one.status,
        ROWS: (one) => one.rows_written,
        EXPORT: (one) => one.request_id,
        REASON: (one) => one.reason,
      }),
  );
}
