import { freePort } from '@roster/embedded-postgres';
import { expect, test } from 'vitest';
import { deleteOldBulkChanges, endAbandonedBulkChanges } from '#features/bulk-changes/upkeep/bulk-change-upkeep.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { RosterProcess } from '../crash/roster-process.ts';
import { until } from '../crash/wait.ts';
import { startTestService } from '../support/service.ts';
import { changed, count, created, ended, failuresOf, fill, where } from './support.ts';
import { testLayout } from '../support/context.ts';

const contacts = 20_000;

test('a bulk change changes each contact once, even when its workers are killed', { timeout: 120_000 }, async () => {
  await using service = await startTestService({ worker: false });
  const { context, first: account } = service;
  {
    await using _worker = service.startWorker();
    await fill(account, 0, contacts);
  }
  const list = await account.createList('News');
  const filter = where('list_id', 'not_equals', list);
  const action = { type: 'add_to_list', audience_id: list };
  const { bulk_change_id: id } = await created(account, { ...filter, action, expected_count: contacts });
  let done = 0;
  for (let kill = 0; kill < 3; kill++) {
    const worker = new RosterProcess({
      ROSTER_ROLE: 'worker',
      DATABASE_URL: context.config.databaseUrl!,
      ...testLayout,
      ROSTER_DATA_DIR: context.config.dataDir,
      PORT: String(await freePort()),
    });
    const least = done + 1000;
    await until('some contacts are changed', 60_000, async () => {
      if (worker.hasEnded) throw new Error(`the worker ended:\n${worker.complaints.join('\n')}`);
      done = (await account.operator('GET', `/bulk-changes/${id}`)).body.progress.done;
      return done >= least;
    });
    expect(worker.killGroup()).toBe(true);
    await worker.ended();
  }
  await using _worker = service.startWorker();
  await using _jobs = service.startJobs();
  expect(await ended(account, id)).toMatchObject({
    status: 'completed',
    progress: { total: contacts, done: contacts },
    counts: { changed: contacts, unchanged: 0, failed: 0, warnings: 0 },
  });
  expect(await count(account, filter)).toBe(0);
  // Each chunk is one request, accepted once.
  const { rows } = await context.pool.query(
    "select count(*)::int as requests from requests where operation = 'contact.update'",
  );
  expect(rows[0]).toEqual({ requests: contacts / 1000 });
});

test('a cancelled bulk change stops, withdraws what waits, and leaves nothing in the queue', async () => {
  // Without a worker for the pipeline, the first two chunks wait.
  await using service = await startTestService({ worker: false });
  const { context, first: account } = service;
  {
    await using _worker = service.startWorker();
    await fill(account, 0, 5000);
  }
  const body = { all_contacts: true, action: { type: 'delete' }, expected_count: 5000 };
  const { bulk_change_id: id } = await created(account, body);
  await using _jobs = service.startJobs();
  const waiting = async () =>
    Number((await context.pool.query('select count(*) as waiting from request_queue')).rows[0].waiting);
  await until('two chunks wait', 20_000, async () => (await waiting()) === 2);
  const cancelled = await account.operator('POST', `/bulk-changes/${id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: 'cancelled', progress: { total: 5000, percent: 0 } });
  expect((await account.operator('POST', `/bulk-changes/${id}/cancel`)).status).toBe(200);
  await until('the chunks are gone', 20_000, async () => {
    const { rows } = await context.pool.query('select 1 from bulk_change_chunks');
    return rows.length === 0;
  });
  expect(await waiting()).toBe(0);
  const after = (await account.operator('GET', `/bulk-changes/${id}`)).body;
  expect(after.counts).toEqual({ changed: 0, unchanged: 0, failed: 2000, warnings: 0 });
  const failures = await failuresOf(account, id);
  expect(failures).toHaveLength(2000);
  expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['withdrawn']));
  expect(await count(account, {})).toBe(5000);
  const log = (await account.operator('GET', '/audit-log')).body.data as { action: string }[];
  expect(log.filter(({ action }) => action === 'bulk-change.cancel')).toHaveLength(1);
});

test('a completed bulk change cannot be cancelled', async () => {
  await using service = await startTestService();
  await using _jobs = service.startJobs();
  await fill(service.first, 0, 1);
  const action = { type: 'set_attribute', attribute: 'CITY', value: 'Pune' };
  const { bulk_change_id: id } = await changed(service.first, { all_contacts: true, action, expected_count: 1 });
  const refused = await service.first.operator('POST', `/bulk-changes/${id}/cancel`);
  expect(refused.status).toBe(409);
  expect(refused.body.description).toBe('The bulk change is completed. It can be cancelled only before it has ended.');
});

test('two bulk changes of the same contacts at the same time are both applied completely', async () => {
  await using service = await startTestService();
  const { first: account } = service;
  await fill(account, 0, 3000);
  await using _jobs = service.startJobs();
  const set = (attribute: string) => ({
    all_contacts: true,
    action: { type: 'set_attribute', attribute, value: 'x' },
    expected_count: 3000,
  });
  const both = await Promise.all([changed(account, set('CITY')), changed(account, set('FIRST_NAME'))]);
  expect(both.map(({ counts }) => counts.changed)).toEqual([3000, 3000]);
  expect(await count(account, where('CITY', 'equals', 'x'))).toBe(3000);
  expect(await count(account, where('FIRST_NAME', 'equals', 'x'))).toBe(3000);
});

test('a bulk change that lost its job is ended, and an old one is deleted with its failures', async () => {
  let now = new Date('2026-01-01T00:00:00Z');
  await using service = await startTestService({ now: () => now });
  const { context, first: account } = service;
  const body = { contact_ids: [1, 2], action: { type: 'delete' }, expected_count: 2 };
  const { bulk_change_id: id } = await created(account, body);
  await context.pool.query('delete from roster_jobs._private_jobs');
  now = new Date('2026-01-01T00:05:00Z');
  await endAbandonedBulkChanges(context, new AbortController().signal);
  expect(await ended(account, id)).toMatchObject({ status: 'failed', failure: { code: 'internal' } });
  {
    await using _jobs = service.startJobs();
    const whole = await changed(account, body);
    expect(await failuresOf(account, whole.bulk_change_id)).toHaveLength(2);
  }
  now = daysBefore(now, -31);
  await deleteOldBulkChanges(context, new AbortController().signal);
  expect((await account.operator('GET', '/bulk-changes')).body.data).toEqual([]);
  expect((await context.pool.query('select 1 from bulk_change_failures')).rows).toEqual([]);
});
