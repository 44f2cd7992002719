import { expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { RosterProcess } from '../crash/roster-process.ts';
import { until } from '../crash/wait.ts';
import { startImportService } from './import-service.ts';
import { testLayout } from '../support/context.ts';

const rows = 40_000;

test('an import applies each row once, even when its workers are killed', { timeout: 120_000 }, async () => {
  await using imports = await startImportService({ jobs: false, worker: false });
  const { context } = imports.service;
  // Each row creates an anonymous contact, so a row that is applied twice creates two contacts.
  const file = `EMAIL,MOBILE,CONTACT_TYPE\n${Array.from({ length: rows }, (_, n) => `,91980${String(n).padStart(7, '0')},anonymous\nbroken,,\n`).join('')}`;
  const { import_id } = await imports.create();
  await imports.send(import_id, file);
  const startWorker = async () =>
    new RosterProcess({
      ROSTER_ROLE: 'worker',
      DATABASE_URL: context.config.databaseUrl!,
      ...testLayout,
      ROSTER_DATA_DIR: context.config.dataDir,
      PORT: String(await freePort()),
    });
  let read = 0;
  for (let kill = 0; kill < 3; kill++) {
    const worker = await startWorker();
    const least = read + 5000;
    await until('some rows are applied', 60_000, async () => {
      if (worker.hasEnded) throw new Error(`the worker ended:\n${worker.complaints.join('\n')}`);
      read = (await imports.find(import_id)).progress.rows_read;
      return read >= least;
    });
    expect(worker.killGroup()).toBe(true);
    await worker.ended();
  }
  expect(await imports.find(import_id)).toMatchObject({ status: 'running' });
  await using _worker = imports.service.startWorker();
  await using _jobs = imports.service.startJobs();
  const ended = await imports.ended(import_id);
  expect(ended).toMatchObject({ status: 'completed', counts: { total: 2 * rows, created: rows, failed: rows } });
  const { rows: found } = await context.pool.query(
    'select count(*) as contacts, count(distinct mobile) as mobiles from contacts',
  );
  expect(found[0]).toEqual({ contacts: rows, mobiles: rows });
  expect(await imports.failures(import_id)).toHaveLength(rows);
  expect((await imports.files()).filter((name) => name.includes(import_id))).toEqual([`${import_id}-2`]);
});
