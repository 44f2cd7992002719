import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requestsInFlight } from '#platform/http/server/in-flight.ts';
import { waitingCallers } from '#features/request-log/request-waits.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService, type Answer } from '../support/service.ts';
import { getRequest, keyOf, people, timed, waiting } from './support.ts';
import { testLayout } from '../support/context.ts';

/** A service without a worker, so that requests wait. */
const service = await forFile(startTestService({ worker: false }));
const account = service.first;
const other = await service.createAccount();
const reading: Record<string, string> = { 'api-key': await keyOf(account, 'contacts:write', 'requests:read') };

const create = (name: string, headers: Record<string, string>, of = account, on = service): Promise<Answer> =>
  on.first.v5('/contact/create', people({ identity: `${name}@example.com` }), { 'api-key': of.apiKey, ...headers });

/** Resolves when so many requests wait in the queue. */
const queued = (count: number, of = service) =>
  expect
    .poll(async () => (await of.context.db.selectFrom('request_queue').select('seq').execute()).length, {
      interval: 5,
      timeout: 20_000,
    })
    .toBeGreaterThanOrEqual(count);

/** Applies everything that waits. */
async function work(): Promise<void> {
  await using _worker = service.startWorker();
  await service.settled();
}

test('a request that is not applied in time gets the body of today, after the time that the caller gave', async () => {
  const { result, milliseconds } = await timed(() => create('late', { ...reading, ...waiting(1) }));
  expect(milliseconds).toBeGreaterThan(950);
  expect(milliseconds).toBeLessThan(5000);
  expect(result).toMatchObject({ status: 200, headers: { 'preference-applied': 'wait=1' } });
  expect(Object.keys(result.body)).toEqual(['request_id', 'code', 'status', 'description']);
  const got = await timed(() => getRequest(service, reading['api-key']!, result.body.request_id, waiting(1)));
  expect(got.milliseconds).toBeGreaterThan(950);
  expect(got.result).toMatchObject({
    status: 200,
    headers: { 'preference-applied': 'wait=1' },
    body: { description: 'The request waits to be applied', data: [{ status: 'accepted', outcome: null }] },
  });
  await work();
});

test('a wait of more than 30 s is shortened, and the answer says so', async () => {
  const answer = create('capped', { ...reading, ...waiting(3600) });
  await queued(1);
  await work();
  expect((await answer).headers['preference-applied']).toBe('wait=30');
  expect((await answer).body.outcome.counts.created).toBe(1);
});

test('a worker in another process ends the wait', async () => {
  const answer = create('elsewhere', { ...reading, ...waiting(30) });
  await queued(1);
  const program = path.join(import.meta.dirname, '../pipeline/programs/worker.ts');
  const env = { ...process.env, DATABASE_URL: service.context.config.databaseUrl, ...testLayout };
  const worker = spawn(process.execPath, [program], { env, stdio: 'ignore' });
  try {
    expect((await answer).body.outcome).toMatchObject({ status: 'done', counts: { created: 1 } });
  } finally {
    worker.kill('SIGKILL');
  }
});

test('a caller who waits for a request that fails as a whole gets its outcome', async () => {
  const answer = create('given-up', { ...reading, ...waiting(30) });
  await queued(1);
  await service.context.db.updateTable('request_queue').set({ attempts: 5 }).execute();
  await work();
  expect((await answer).body.outcome).toMatchObject({
    status: 'failed',
    counts: { total: 1, failed: 1 },
    failures: [{ index: 0, code: 'given_up' }],
  });
});

test('callers who wait hold no slot and no connection, so others of their account and other accounts go on', async () => {
  const many = requestsInFlight.perAccount + 470;
  const answers = Array.from({ length: many }, (_, n) => create(`many${n}`, { ...reading, ...waiting(30) }));
  await queued(many);
  await expect.poll(() => service.context.pool.idleCount + (8 - service.context.pool.totalCount)).toBeGreaterThan(0);
  const own = await timed(() => create('own', {}));
  const foreign = await timed(() => create('foreign', {}, other));
  expect([own.result.status, foreign.result.status]).toEqual([200, 200]);
  // All slots of the account would be taken for 30 s.
  expect(own.milliseconds).toBeLessThan(3000);
  expect(foreign.milliseconds).toBeLessThan(3000);
  const soon = create('soon', waiting(30), other);
  await work();
  expect((await soon).body.outcome.status).toBe('done');
  const outcomes = await Promise.all(answers);
  expect(outcomes.map(({ body }) => body.outcome?.counts.created)).toEqual(answers.map(() => 1));
});

test('a caller gets the body of today at once when too many of its account wait already', async () => {
  const own = { ...reading, ...waiting(30) };
  const { requestWaits } = service.context;
  const never = new AbortController().signal;
  const limits = { until: performance.now() + 60_000, disconnect: never };
  const taken = Array.from({ length: waitingCallers.perAccount }, () => requestWaits.begin(account.accountId, limits));
  const refused = await timed(() => create('refused', own));
  expect(refused.milliseconds).toBeLessThan(3000);
  expect(refused.result.status).toBe(200);
  expect(refused.result.headers['preference-applied']).toBeUndefined();
  expect(refused.result.body.outcome).toBeUndefined();
  const foreign = create('not-refused', waiting(30), other);
  await queued(2);
  for (const wait of taken) wait?.[Symbol.dispose]();
  await work();
  expect((await foreign).body.outcome.status).toBe('done');
  const after = create('after', own);
  await queued(1);
  await work();
  expect((await after).body.outcome.counts.created).toBe(1);
});

test('a caller gets the body of today when the failures cannot be read in time', async () => {
  const { databaseTurns, requestWaits } = service.context;
  const held = Promise.withResolvers<void>();
  // The account may read with one connection at a time.
  const taken = databaseTurns.run(account.accountId, new AbortController().signal, () => held.promise);
  const bad = people({ identity: 'bad@example.com', email: 'other@example.com' });
  const answer = account.v5('/contact/create', bad, { ...reading, ...waiting(2) });
  await queued(1);
  await work();
  expect(Object.keys((await answer).body)).toEqual(['request_id', 'code', 'status', 'description']);
  held.resolve();
  await taken;
  expect(requestWaits.waiting).toBe(0);
});

test('a client that disconnects ends its wait at once', async () => {
  await using own = await startTestService({ worker: false });
  const url = await listening(own);
  const leaving = new AbortController();
  const sent = fetch(`${url}/v5/contact/create`, {
    method: 'POST',
    headers: { 'api-key': own.first.apiKey, 'content-type': 'application/json', ...waiting(30) },
    body: JSON.stringify(people({ identity: 'asha@example.com' })),
    signal: leaving.signal,
  });
  const ended = expect(sent).rejects.toThrow('aborted');
  await queued(1, own);
  await expect.poll(() => own.context.requestWaits.waiting).toBe(1);
  leaving.abort();
  await ended;
  await expect.poll(() => own.context.requestWaits.waiting, { timeout: 2000 }).toBe(0);
});

test('a stop of the service ends all waits at once, with the body of today', async () => {
  const own = await startTestService({ worker: false });
  const url = await listening(own);
  const headers = { 'api-key': own.first.apiKey, 'content-type': 'application/json', ...waiting(30) };
  const sent = Array.from({ length: 20 }, async (_, n) => {
    const body = JSON.stringify(people({ identity: `p${n}@example.com` }));
    const answer = await fetch(`${url}/v5/contact/create`, { method: 'POST', headers, body });
    return { status: answer.status, body: (await answer.json()) as object };
  });
  await expect.poll(() => own.context.requestWaits.waiting, { timeout: 10_000 }).toBe(20);
  const { milliseconds } = await timed(() => own.app.close());
  expect(milliseconds).toBeLessThan(4000);
  for (const { status, body } of await Promise.all(sent)) {
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['request_id', 'code', 'status', 'description']);
  }
  // A wait that begins during the stop is none.
  const limits = { until: performance.now() + 60_000, disconnect: new AbortController().signal };
  expect(own.context.requestWaits.begin(1, limits)).toBeUndefined();
  await own[Symbol.asyncDispose]();
});

test('the metrics of the service count the time without the wait', async () => {
  const secondsOf = async (): Promise<number> => {
    const { values } = await service.context.metrics.latency.get();
    const sums = values.filter(({ metricName }) => metricName?.endsWith('_sum'));
    return sums.reduce((sum, { value }) => sum + value, 0);
  };
  const before = await secondsOf();
  await create('measured', { ...reading, ...waiting(2) });
  expect((await secondsOf()) - before).toBeLessThan(1.5);
});
