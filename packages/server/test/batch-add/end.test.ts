import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { until } from '../crash/wait.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { waitForAttempts, skipPause, loopback } from '../callbacks/support.ts';
import { mailConfig } from '../mails/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { startSmtp } from '../support/smtp.ts';
import { accepted, batch, one, reportsOf, requestOf } from './support.ts';

let stack: AsyncDisposableStack;

const smtp = await forFile(startSmtp());
const service = await forFile(
  startTestService({
    resolveHost: loopback,
    config: { ...mailConfig(smtp), callbackAllow: parseAllowList('receiver.test') },
  }),
);
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function deliveryIdOf(jobId: string): Promise<string> {
  const { body } = await service.first.operator('GET', `/deliveries?source=batch&source_id=${jobId}`);
  expect(body.data).toHaveLength(1);
  return body.data[0].delivery_id;
}

test('the callback and the mail arrive with the same facts, and the callback is signed', async () => {
  stack.use(service.startJobs());
  const receiver = stack.use(await startReceiver());
  const body = batch([{ EMAIL: 'a@example.com' }, { EMAIL: 'a@example.com', CITY: 'Pune' }, { CITY: 'nobody' }], {
    callbackurl: `http://receiver.test:${receiver.port}/done?job=7`,
    notifyemail: 'lena@example.com',
  });
  const jobId = await accepted(service, body);
  const [request] = await receiver.reached(1);
  expect(request).toMatchObject({ method: 'POST', path: '/done?job=7' });
  expect(JSON.parse(request!.body)).toEqual({
    job_id: jobId,
    status: 'completed',
    listid: 1,
    total: 3,
    created: 1,
    updated: 1,
    failed: 1,
    errors: [{ index: 2, code: 'identity_missing', message: 'EMAIL: The contact has no value for the primary key.' }],
  });
  const { secret } = (await service.first.operator('GET', '/signing-secret')).body;
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request!.headers['x-roster-signature']))!;
  expect(createHmac('sha256', secret).update(`${time}.${request!.body}`).digest('hex')).toBe(signature);
  expect(request!.headers['x-roster-delivery']).toBe(await deliveryIdOf(jobId));

  const mail = await until('the mail', 10_000, () =>
    smtp.mails.find(({ envelope }) => envelope.to.includes('lena@example.com')),
  );
  expect(mail.parsed.subject).toContain('is done, but some contacts failed');
  for (const text of [
    jobId,
    'Contacts: 3',
    'Created: 1',
    'Updated: 1',
    'Failed: 1',
    'Contact 2: EMAIL: The contact has no',
  ]) {
    expect(mail.parsed.text).toContain(text);
  }
});

test('a failed callback is sent again, but the job is not applied again', async () => {
  stack.use(service.startJobs());
  let count = 0;
  const receiver = stack.use(
    await startReceiver((response) => {
      response.statusCode = ++count === 1 ? 503 : 200;
      response.end();
    }),
  );
  const jobId = await accepted(service, one({ callbackurl: `http://receiver.test:${receiver.port}/` }));
  await receiver.reached(1);
  const deliveryId = await deliveryIdOf(jobId);
  await waitForAttempts(service.first, deliveryId, 1);
  await skipPause(service.context, deliveryId);
  const [first, second] = await receiver.reached(2);
  expect(second!.body).toBe(first!.body);
  expect(await reportsOf(service, jobId)).toHaveLength(1);
});

test.each([
  ['a private address', (port: number) => `http://127.0.0.1:${port}/`],
  ['a host name with a private address', () => 'https://inside.example.com/'],
  ['this machine', (port: number) => `http://localhost:${port}/`],
])('a callback to %s is accepted but not sent, and the log of deliveries shows why', async (_what, urlOf) => {
  stack.use(service.startJobs());
  const receiver = stack.use(await startReceiver());
  const jobId = await accepted(service, one({ callbackurl: urlOf(receiver.port) }));
  await service.settled();
  expect(await requestOf(service.first, jobId)).toMatchObject({ status: 'done', counts: { failed: 0 } });
  const { attempt_log } = await waitForAttempts(service.first, await deliveryIdOf(jobId), 1);
  expect(attempt_log).toMatchObject([{ error: { code: 'address_refused' }, address: null }]);
  expect(receiver.connections).toBe(0);
});

test('a callback to a private address is sent once an operator has allowed that address', async () => {
  stack.use(service.startJobs());
  const receiver = stack.use(await startReceiver());
  const jobId = await accepted(service, one({ callbackurl: `http://127.0.0.1:${receiver.port}/` }));
  await service.settled();
  const deliveryId = await deliveryIdOf(jobId);
  await waitForAttempts(service.first, deliveryId, 1);
  const { config } = service.context;
  const { callbackAllow } = config;
  Object.assign(config, { callbackAllow: parseAllowList('127.0.0.1') });
  stack.defer(() => void Object.assign(config, { callbackAllow }));
  await skipPause(service.context, deliveryId);
  expect(JSON.parse((await receiver.reached(1))[0]!.body)).toMatchObject({ job_id: jobId });
});

test('after a job ends, its addresses are kept only in the delivery and the mail', async () => {
  const jobId = await accepted(service, one());
  await service.settled();
  expect(await reportsOf(service, jobId)).toHaveLength(1);
  expect(await service.context.db.selectFrom('batch_jobs').selectAll().execute()).toEqual([]);
});

test('each of hundreds of jobs that end in one transaction has its callback and its mail', async () => {
  const { db } = service.context;
  const mails = async () => (await db.selectFrom('mails').select('mail_id').execute()).length;
  const before = await mails();
  const jobs = await Promise.all(
    Array.from({ length: 300 }, (_, n) => accepted(service, batch([{ EMAIL: `many${n}@example.com` }]))),
  );
  await service.settled();
  const told = await db.selectFrom('deliveries').where('source_id', 'in', jobs).select(['source_id', 'body']).execute();
  expect(told.map(({ source_id }) => source_id).sort()).toEqual([...jobs].sort());
  for (const { source_id, body } of told) expect(JSON.parse(body)).toMatchObject({ job_id: source_id, created: 1 });
  expect((await mails()) - before).toBe(300);
});

test('a job whose payload cannot be read ends too, and its callback says so', async () => {
  await using idle = await startTestService({ worker: false });
  const jobId = await accepted(idle, batch([{ EMAIL: 'a@example.com' }, { EMAIL: 'b@example.com' }]));
  await idle.context.db
    .updateTable('requests')
    .set({ payload: Buffer.from('{'), payload_codec: 'json' })
    .where('request_id', '=', jobId)
    .execute();
  await using _worker = idle.startWorker();
  await idle.settled();
  const [report] = await reportsOf(idle, jobId);
  expect(report).toMatchObject({ status: 'completed', total: 2, created: 0, updated: 0, failed: 2 });
  expect(report!.errors).toMatchObject([{ index: 0, code: 'payload_unreadable' }]);
});
