import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../crash/wait.ts';
import { startTestService } from '../support/service.ts';
import { accepted, batch, reportsOf, requestOf } from './support.ts';
import { testLayout } from '../support/context.ts';

const program = path.join(import.meta.dirname, '../pipeline/programs/worker.ts');

test('a worker that is killed while it writes the mail leaves the whole job to the next one: one callback, one mail', async () => {
  await using service = await startTestService({ worker: false });
  const { context } = service;
  const data = Array.from({ length: 1000 }, (_, n) => ({ EMAIL: `person${n}@example.com` }));
  const jobId = await accepted(service, batch(data));

  // When the worker waits for this lock, it has written everything but the mail.
  const holder = await context.pool.connect();
  await holder.query('begin');
  await holder.query('lock table mails in access exclusive mode');
  const worker = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: context.config.databaseUrl!, ...testLayout },
    stdio: 'inherit',
  });
  await until('the worker waits for the lock', 20_000, async () => {
    if (worker.exitCode !== null) throw new Error('the worker did not start');
    const { rows } = await context.pool.query(
      `select 1 from pg_locks where relation = 'mails'::regclass and not granted and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  });
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await holder.query('rollback');
  holder.release();
  expect(await requestOf(service.first, jobId)).toMatchObject({ status: 'accepted' });
  expect(await reportsOf(service, jobId)).toEqual([]);

  await using _worker = service.startWorker();
  await using _other = service.startWorker();
  await service.settled();
  expect(await reportsOf(service, jobId)).toMatchObject([{ job_id: jobId, total: 1000, created: 1000, failed: 0 }]);
  expect(await context.db.selectFrom('mails').select('template').execute()).toEqual([
    { template: 'batch_add_finished' },
  ]);
  const { body } = await service.first.operator('GET', '/lists/1');
  expect(body.member_count).toBe(1000);
});

test('while the database is unreachable the documented error is returned, and the job is accepted later', async () => {
  await using service = await startTestService({ worker: false });
  const { context, first } = service;
  const headers = { 'api-key': first.apiKey, 'idempotency-key': 'again' };
  const send = (changes: Record<string, string> = {}) =>
    service.call('POST', '/v3/contact/batchadd', {
      body: batch([{ EMAIL: 'a@example.com' }]),
      headers: { ...headers, ...changes },
    });
  expect((await service.call('POST', '/v3/contact/batchadd', { body: {}, headers })).status).toBe(400);
  const connect = context.pool.connect.bind(context.pool);
  // `connect` takes a callback, or returns a promise without one.
  const unreachable = (callback?: (error: Error) => void): Promise<never> | undefined => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    if (!callback) return Promise.reject(error);
    callback(error);
    return undefined;
  };
  Object.assign(context.pool, { connect: unreachable });
  const notFound = { status: 400, body: { message: 'the service server not found', status: 400 } };
  // With an API key that is cached, with an unknown one, and without an idempotency key.
  expect(await send()).toMatchObject({ ...notFound, headers: { 'retry-after': '1' } });
  expect(await send({ 'api-key': 'another' })).toMatchObject(notFound);
  expect(
    await service.call('POST', '/v3/contact/batchadd', { body: batch([{}]), headers: { 'api-key': first.apiKey } }),
  ).toMatchObject(notFound);
  // Faults that need no database are reported as usual.
  expect(await send({ 'api-key': ' ' })).toMatchObject({ body: { message: 'api key can not be blank in headers' } });
  const v5 = await first.v5('/contact/create', { data: { contact_type: 'anonymous', contacts: [{}] } });
  expect(v5.status).toBe(503);
  Object.assign(context.pool, { connect });
  const back = await send();
  expect(back.status).toBe(200);
  expect((await send()).body).toEqual(back.body);
});
