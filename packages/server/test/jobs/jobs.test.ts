import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addJob, addJobs } from '#platform/jobs/jobs.ts';
import { concurrentDeliveries } from '#features/callbacks/index.ts';
import { openLease } from '#platform/jobs/lease.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { add, hang, leftRunning, recordRuns, type Runs } from './runs.ts';
import { testLayout } from '../support/context.ts';

const lines: string[] = [];
let stack: AsyncDisposableStack;

const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startTestService({ worker: false, log }));
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  lines.length = 0;
  await sql`truncate roster_jobs._private_jobs`.execute(service.context.db);
});
afterEach(async () => stack.disposeAsync());

function run(runs: Runs): AsyncDisposable {
  return stack.use(service.startJobs({ deliver: runs.handler }));
}

/** Returns the rows of the job library. */
async function jobs(): Promise<
  { id: string; attempts: number; last_error: string | null; locked_by: string | null }[]
> {
  const { rows } =
    await sql`select id::text, attempts, last_error, locked_by from roster_jobs.jobs order by id`.execute(
      service.context.db,
    );
  return rows as Awaited<ReturnType<typeof jobs>>;
}

async function drained(): Promise<void> {
  await expect.poll(jobs).toEqual([]);
}

/** Ends the pause after a failure: makes failed jobs run now. */
async function skipRetryPause(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select roster_jobs.reschedule_jobs(array_agg(id), now()) from roster_jobs.jobs
        where last_error is not null and locked_by is null having count(*) > 0`.execute(service.context.db);
      return rows.length;
    })
    .toBeGreaterThan(0);
}

test('a job runs after the transaction that added it commits, and never runs if the transaction rolls back', async () => {
  const runs = recordRuns();
  run(runs);
  const rolledBack = service.context.db.transaction().execute(async (trx) => {
    await addJob(trx, 'deliver', { account_id: 1, delivery_id: 'rolled back' });
    throw new Error('rolled back by the test');
  });
  await expect(rolledBack).rejects.toThrow('rolled back by the test');
  await add(service.context, 'committed');
  await drained();
  expect(runs.list.map(({ id, attempt, maxAttempts }) => ({ id, attempt, maxAttempts }))).toEqual([
    { id: 'committed', attempt: 1, maxAttempts: 25 },
  ]);
});

test('the commit of a transaction sends a notification with the kind of its jobs', async () => {
  const listener = new pg.Client({ connectionString: service.context.config.databaseUrl! });
  await listener.connect();
  stack.defer(() => listener.end());
  const heard: unknown[] = [];
  listener.on('notification', ({ payload }) => heard.push(payload));
  await listener.query('listen roster_jobs');
  await service.context.db.transaction().execute(async (trx) => {
    await addJob(trx, 'deliver', { account_id: 1, delivery_id: 'one' });
    await addJobs(trx, 'deliver', []);
    await listener.query('select 1');
    expect(heard).toEqual([]);
  });
  await expect.poll(() => heard).toEqual(['deliver']);
});

test('a job with a notification begins sooner than the polling interval', async () => {
  const runs = recordRuns();
  run(runs);
  await add(service.context, 'first');
  await runs.reached(1);
  const began = performance.now();
  // Each job is added just after a poll. Without notifications it would wait for half a second.
  for (let count = 2; count <= 21; count++) {
    await add(service.context, String(count));
    await runs.reached(count);
  }
  expect(performance.now() - began).toBeLessThan(5000);
});

test('a job that fails runs again, and the log quotes neither its payload nor its error message', async () => {
  const runs = recordRuns(({ attempt }) => {
    if (attempt === 1)
      throw Object.assign(new Error('duplicate key asha@example.com'), { code: '23505', severity: 'ERROR' });
  });
  run(runs);
  await add(service.context, 'secret-payload');
  await runs.reached(1);
  await skipRetryPause();
  await runs.reached(2);
  await drained();
  expect(runs.list.map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(lines.join('')).toContain('a job failed');
  expect(lines.join('')).toContain('23505');
  expect(lines.join('')).not.toMatch(/asha@|secret-payload/);
});

test('a job does not run again after its last attempt fails', async () => {
  const runs = recordRuns(() => {
    throw new Error('no');
  });
  run(runs);
  await add(service.context, 'hopeless', { maxAttempts: 1 });
  await expect.poll(jobs).toMatchObject([{ attempts: 1, last_error: 'failed; see the log of the worker' }]);
  await skipRetryPause();
  await add(service.context, 'another', { maxAttempts: 1 });
  await runs.reached(2);
  expect(runs.list.map(({ id }) => id)).toEqual(['hopeless', 'another']);
});

test('a stop aborts the running jobs, and the next process runs them at once without counting the aborted attempt', async () => {
  const first = recordRuns(({ signal }) => hang(signal));
  const runner = run(first);
  await add(service.context, 'interrupted');
  await first.reached(1);
  const began = performance.now();
  await runner[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(3000);
  expect(first.list[0]!.signal.aborted).toBe(true);
  expect(await jobs()).toMatchObject([{ attempts: 0, locked_by: null }]);

  const second = recordRuns();
  run(second);
  expect((await second.reached(1))[0]).toMatchObject({ id: 'interrupted', attempt: 1 });
  await drained();
});

test('a job that ends during a stop is not run again', async () => {
  const release = Promise.withResolvers<void>();
  const runs = recordRuns(() => release.promise);
  const runner = run(runs);
  await add(service.context, 'almost done');
  await runs.reached(1);
  const stopped = runner[Symbol.asyncDispose]();
  release.resolve();
  await stopped;
  expect(await jobs()).toEqual([]);
});

test('the jobs of a killed process run again in another process', async () => {
  const program = path.join(import.meta.dirname, 'programs/holder.ts');
  const holder = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: service.context.config.databaseUrl!, ...testLayout },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await add(service.context, 'held', { queue: 'one at a time' });
  await add(service.context, 'next in the queue', { queue: 'one at a time' });
  expect(String((await once(holder.stdout, 'data'))[0])).toBe('held\n');

  // Other processes do not take the job while its process runs.
  const runs = recordRuns();
  run(runs);
  {
    await using lease = await openLease(service.context);
    expect(await lease.freeLostJobs()).toBe(0);
  }
  expect(runs.list).toEqual([]);

  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await leftRunning(service.context, 1);
  const began = performance.now();
  run(runs);
  await runs.reached(2);
  expect(performance.now() - began).toBeLessThan(8000);
  await drained();
  expect(runs.list.map(({ id, attempt }) => [id, attempt])).toEqual([
    ['held', 2],
    ['next in the queue', 1],
  ]);
});

test('jobs that a killed process had taken but not begun run in another process', async () => {
  const program = path.join(import.meta.dirname, 'programs/holder.ts');
  const count = concurrentDeliveries + 5;
  for (let number = 0; number < count; number++) await add(service.context, String(number));
  const holder = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: service.context.config.databaseUrl!, ...testLayout },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The holder returns jobs that it has not begun after a second.
  await expect
    .poll(async () => (await jobs()).filter(({ locked_by }) => locked_by !== null).length, { interval: 10 })
    .toBe(count);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await leftRunning(service.context, 0);
  const runs = recordRuns();
  run(runs);
  await drained();
  expect(new Set(runs.list.map(({ id }) => id)).size).toBe(count);
});

test('a process whose job workers are all busy leaves jobs to other processes', async () => {
  const busy = recordRuns(({ signal }) => hang(signal));
  run(busy);
  const count = concurrentDeliveries + 5;
  for (let number = 0; number < count; number++) await add(service.context, String(number));
  await busy.reached(concurrentDeliveries);
  const idle = recordRuns();
  run(idle);
  await idle.reached(5);
  expect(idle.list.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1]);
  expect(busy.list.length).toBe(concurrentDeliveries);
});

test('running jobs are aborted when their database connections are lost, and run again after a reconnect', async () => {
  const runs = recordRuns(async ({ signal }) => {
    if (runs.list.length === 1) await hang(signal);
  });
  run(runs);
  await add(service.context, 'cut off');
  await runs.reached(1);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    service.context.db,
  );
  await runs.reached(2);
  expect(runs.list[0]!.signal.aborted).toBe(true);
  expect(runs.list[1]!.id).toBe('cut off');
  await drained();
  await add(service.context, 'later');
  await runs.reached(3);
});

test('a job that finds a server read-only waits, and loses no attempt', async () => {
  const runs = recordRuns(async () => {
    if (runs.list.length > 1) return;
    await service.context.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => sql`delete from index_sizes`.execute(trx))
      .catch((cause: unknown) => {
        throw new Error('could not clean up', { cause });
      });
  });
  run(runs);
  await add(service.context, 'refused');
  await expect.poll(jobs).toMatchObject([{ attempts: 0, last_error: expect.any(String) as string, locked_by: null }]);
  await skipRetryPause();
  await runs.reached(2);
  expect(runs.list.map(({ attempt }) => attempt)).toEqual([1, 1]);
  await drained();
  expect(lines.filter((line) => line.includes('a job failed'))).toEqual([]);
});

test('jobs of one queue run one after the other, even in several processes', async () => {
  let running = 0;
  let most = 0;
  const runs = recordRuns(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  });
  run(runs);
  run(runs);
  for (let number = 0; number < 6; number++) await add(service.context, String(number), { queue: 'serial' });
  await drained();
  expect(runs.list.length).toBe(6);
  expect(most).toBe(1);
});

test('a new job replaces a waiting job with the same key', async () => {
  await add(service.context, 'old', { key: 'the key', runAt: new Date(Date.now() + 3_600_000) });
  await add(service.context, 'new', { key: 'the key' });
  const runs = recordRuns();
  run(runs);
  await drained();
  expect(runs.list.map(({ id }) => id)).toEqual(['new']);
});

test('a job with a start time in the future does not run before that time', async () => {
  const runs = recordRuns();
  run(runs);
  await add(service.context, 'tomorrow', { runAt: new Date(Date.now() + 86_400_000) });
  await add(service.context, 'today');
  await runs.reached(1);
  await expect.poll(jobs).toMatchObject([{ attempts: 0, locked_by: null }]);
  expect(runs.list.map(({ id }) => id)).toEqual(['today']);
});
