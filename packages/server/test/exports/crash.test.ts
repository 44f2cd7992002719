import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { runExport } from '#features/exports/run/run-export.ts';
import { RosterProcess } from '../crash/roster-process.ts';
import { until } from '../crash/wait.ts';
import { listExport, startExportService } from './export-service.ts';
import { testLayout } from '../support/context.ts';

const contacts = 10_000;

test('if a worker is killed during an export, the next one starts over and leaves one file, one callback and one mail', async () => {
  await using exports = await startExportService({ jobs: false, worker: false });
  const { context } = exports.service;
  await context.pool.query(
    `insert into contacts (account_id, contact_id, contact_key, contact_type, list_ids, created_at, updated_at)
     select 1, n, 'person' || n || '@example.com', 'identified', '{1}', now(), now() from generate_series(1, $1::int) n`,
    [contacts],
  );
  const callback_details = { endpoint: 'https://hooks.example.com' };
  const requestId = await exports.accepted(listExport(1, {}, { callback_details, notify_email: 'asha@example.com' }));
  const told = async () => [
    (await context.db.selectFrom('deliveries').where('source_id', '=', requestId).select('body').execute()).length,
    (await context.db.selectFrom('mails').select('mail_id').execute()).length,
  ];

  // The file is a pipe that nothing empties, so the worker can write only some rows.
  const directory = path.join(exports.directory, '1');
  await mkdir(directory, { recursive: true });
  const unfinished = path.join(directory, `${requestId}-1.csv.part`);
  await promisify(execFile)('mkfifo', [unfinished]);
  await using reader = await open(unfinished, constants.O_RDONLY | constants.O_NONBLOCK);

  const worker = new RosterProcess({
    ROSTER_ROLE: 'worker',
    DATABASE_URL: context.config.databaseUrl!,
    ...testLayout,
    ROSTER_DATA_DIR: context.config.dataDir,
    ROSTER_PUBLIC_URL: context.config.publicUrl!,
    PORT: String(await freePort()),
  });
  await until('the export is being written', 20_000, async () => {
    if (worker.hasEnded) throw new Error(`the worker did not start:\n${worker.complaints.join('\n')}`);
    return (await reader.read(Buffer.alloc(1)).catch(() => ({ bytesRead: 0 }))).bytesRead > 0;
  });
  expect(worker.killGroup()).toBe(true);
  await worker.ended();
  expect((await exports.find(requestId)).status).toBe('running');
  expect(await told()).toEqual([0, 0]);

  await using _jobs = exports.service.startJobs({ export: runExport });
  expect(await exports.rows(requestId)).toHaveLength(contacts + 1);
  expect(await readdir(directory)).toEqual([`${requestId}-2.csv`]);
  expect(await told()).toEqual([1, 1]);
});
