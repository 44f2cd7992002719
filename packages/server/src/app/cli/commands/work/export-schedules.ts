import type { CreateExportScheduleBody, UpdateExportScheduleBody } from '@roster/client';
import type { RosterCommand } from '../../terminal/command.ts';
import { fileOrInput, readObject } from '../../terminal/input.ts';
import { writeAll, writeListing, writeRecord, type LimitOptions } from '../../terminal/records.ts';

/** Adds `roster export-schedules`: exports at regular times. */
export function addExportScheduleCommands(program: RosterCommand): void {
  const { terminal } = program;
  const schedules = program.command('export-schedules').description('exports at regular times');
  const onOne = (name: string) => schedules.command(name).argument('<schedule_id>', 'identifier of the schedule');
  const id = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

  schedules
    .command('list')
    .described('list the schedules', 'roster export-schedules list')
    .onAccount(({ account, output }) =>
      writeAll(output, (page) => account.exportSchedules.list(page), {
        SCHEDULE: (one) => one.schedule_id,
        NAME: (one) => one.name,
        STATUS: (one) => one.status,
        'NEXT RUN': (one) => one.next_run_at,
        'LAST RUN': (one) => one.last_run?.status,
        AUTHOR: (one) => one.author,
      }),
    );

  onOne('show')
    .described('show a schedule', `roster export-schedules show ${id} --json`)
    .onAccount<object, [string]>(async ({ account, output }, scheduleId) =>
      writeRecord(output, await account.exportSchedules.get(scheduleId)),
    );

  schedules
    .command('create')
    .argument('[file]', `JSON, as in docs/contract/exports.md: ${fileOrInput}`)
    .described(
      'create a schedule from JSON',
      `echo '{"name": "Every morning", "filter": {}, "timing": {"every": "day", "at": "06:00"}}' | roster export-schedules create`,
    )
    .onAccount<object, [string | undefined]>(async ({ account, output }, file) => {
      const made = await account.exportSchedules.create(await readObject<CreateExportScheduleBody>(terminal, file));
      await output.result(made, () => `Created the schedule ${made.schedule_id}. Its next run: ${made.next_run_at}.`);
    });

  onOne('update')
    .argument('[file]', `JSON with the fields to change: ${fileOrInput}`)
    .described(
      'change a schedule; fields that are absent stay',
      `echo '{"paused": true}' | roster export-schedules update ${id}`,
    )
    .onAccount<object, [string, string | undefined]>(async ({ account, output }, scheduleId, file) => {
      const change = await readObject<UpdateExportScheduleBody>(terminal, file);
      await writeRecord(output, await account.exportSchedules.update(scheduleId, change));
    });

  onOne('delete')
    .confirmed()
    .described(
      'delete a schedule; files that it wrote stay until they expire',
      `roster export-schedules delete ${id} --yes`,
    )
    .onAccount<object, [string]>(async ({ account, output, confirm }, scheduleId) => {
      await confirm(`Delete the schedule ${scheduleId}?`);
      await account.exportSchedules.delete(scheduleId);
      await output.result({ schedule_id: scheduleId, deleted: true }, () => `Deleted the schedule ${scheduleId}.`);
    });

  onOne('run')
    .described('start a run now', `roster export-schedules run ${id}`)
    .onAccount<object, [string]>(async ({ account, output }, scheduleId) =>
      writeRecord(output, await account.exportSchedules.run(scheduleId)),
    );

  onOne('runs')
    .limited()
    .described('list the runs of a schedule, newest first', `roster export-schedules runs ${id}`)
    .onAccount<LimitOptions, [string]>(({ account, output, options }, scheduleId) =>
      writeListing(output, options, (page) => account.exportSchedules.runs(scheduleId, page), {
        DUE: (one) => one.due_at,
        STATUS: (one) => one.status,
        ROWS: (one) => one.rows_written,
        EXPORT: (one) => one.request_id,
        REASON: (one) => one.reason,
      }),
    );
}
