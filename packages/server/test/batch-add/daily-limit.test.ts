import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { forgetOldDays } from '#features/accounts/daily-limit/daily-limit.ts';
import { startApi } from '#app/api/api-process.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { dailyBatch, one, send } from './support.ts';

let stack: AsyncDisposableStack;
let now = new Date('2026-03-28T12:00:00Z');

const service = await forFile(startTestService({ worker: false, now: () => now }));
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function accountIn(time_zone: string, daily_batch_limit?: number): Promise<TestAccount> {
  const settings = daily_batch_limit === undefined ? undefined : { daily_batch_limit };
  const account = await service.createAccount({ name: time_zone, time_zone, settings });
  await account.operator('POST', '/lists', { name: 'List 1' });
  return account;
}

/** Sends a batch at a given time. Returns the message of a refusal. */
async function sendAt(account: TestAccount, at: string): Promise<string | undefined> {
  now = new Date(at);
  const { status, body } = await send(service, one(), { 'api-key': account.apiKey });
  return status === 200 ? undefined : body.message;
}

test('two processes that get 200 requests at once accept exactly as many as the limit allows', async () => {
  const account = await accountIn('Asia/Kolkata', 73);
  const config = { ...service.context.config, adminToken: testAdminToken, host: '127.0.0.1', port: 0 };
  const { log } = service.context;
  const processes = [
    stack.use(await startApi(config, { log, now: () => now })),
    stack.use(await startApi(config, { log, now: () => now })),
  ];
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const answer = await fetch(`${processes[n % 2]!.url}/v3/contact/batchadd`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'api-key': account.apiKey,
          // Some requests have an idempotency key and so run in their own transaction.
          ...(n % 5 === 0 ? { 'idempotency-key': `key-${n}` } : {}),
        },
        body: JSON.stringify(one()),
      });
      return { status: answer.status, body: (await answer.json()) as { message: string } };
    }),
  );
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status, body }) => status === 400 && body.message === 'limit Reached');
  expect([accepted.length, refused.length]).toEqual([73, 127]);
  expect(await dailyBatch(account)).toMatchObject({ limit: 73, used: 73 });
  const { rows } = await service.context.pool.query(
    'select (select count(*)::int from requests where account_id = $1) as requests, (select count(*)::int from batch_jobs where account_id = $1) as jobs',
    [account.accountId],
  );
  expect(rows).toEqual([{ requests: 73, jobs: 73 }]);
});

describe('the end of the day for the daily limit', () => {
  test.each([
    ['UTC', '2026-03-28T23:59:59.999Z', '2026-03-29T00:00:00Z'],
    ['Asia/Kolkata', '2026-03-28T18:29:59.999Z', '2026-03-28T18:30:00Z'],
    // The day before the clocks go forward, and the day itself, which has 23 hours.
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00Z'],
    // The day on which the clocks go back, which has 25 hours.
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00Z'],
    ['America/New_York', '2026-11-02T04:59:59.999Z', '2026-11-02T05:00:00Z'],
    // The clocks go forward at midnight, so this day begins at 01:00.
    ['Africa/Cairo', '2026-04-23T21:59:59.999Z', '2026-04-23T22:00:00Z'],
    ['Pacific/Kiritimati', '2026-12-31T09:59:59.999Z', '2026-12-31T10:00:00Z'],
  ])(
    'the limit resets at midnight in %s: %s is the last moment of a day, %s the first of the next',
    async (zone, last, first) => {
      const account = await accountIn(zone, 2);
      expect(await sendAt(account, last)).toBeUndefined();
      expect(await dailyBatch(account)).toEqual({ limit: 2, used: 1, resets_at: new Date(first).toISOString() });
      expect(await sendAt(account, last)).toBeUndefined();
      expect(await sendAt(account, last)).toBe('limit Reached');
      expect(await sendAt(account, first)).toBeUndefined();
      expect(await dailyBatch(account)).toMatchObject({ used: 1 });
      expect(await sendAt(account, first)).toBeUndefined();
      expect(await sendAt(account, first)).toBe('limit Reached');
    },
  );
});

test('the default limit is 100,000, and a changed limit applies at once', async () => {
  const account = await accountIn('UTC');
  now = new Date('2026-05-01T12:00:00Z');
  expect(await dailyBatch(account)).toEqual({ limit: 100_000, used: 0, resets_at: '2026-05-02T00:00:00.000Z' });
  for (let count = 0; count < 3; count++) expect(await sendAt(account, '2026-05-01T12:00:00Z')).toBeUndefined();
  await account.operator('PATCH', '', { settings: { daily_batch_limit: 3 } });
  expect(await sendAt(account, '2026-05-01T12:00:00Z')).toBe('limit Reached');
  await account.operator('PATCH', '', { settings: { daily_batch_limit: 1 } });
  expect(await sendAt(account, '2026-05-01T12:00:00Z')).toBe('limit Reached');
  expect(await dailyBatch(account)).toMatchObject({ limit: 1, used: 3 });
  await account.operator('PATCH', '', { settings: { daily_batch_limit: 4 } });
  expect(await sendAt(account, '2026-05-01T12:00:00Z')).toBeUndefined();
  expect(await sendAt(account, '2026-05-01T12:00:00Z')).toBe('limit Reached');
});

test('the limit of one account does not affect other accounts', async () => {
  const [spent, other] = [await accountIn('UTC', 0), await accountIn('UTC', 1)];
  expect(await sendAt(spent, '2026-05-01T12:00:00Z')).toBe('limit Reached');
  expect(await sendAt(other, '2026-05-01T12:00:00Z')).toBeUndefined();
  expect((await dailyBatch(spent)).used).toBe(0);
});

test('operators are warned once a day, when four fifths of the limit are used', async () => {
  const warnings: unknown[] = [];
  const account = await accountIn('UTC', 5);
  const { log } = service.context;
  const warn = log.warn.bind(log);
  stack.defer(() => void Object.assign(log, { warn }));
  Object.assign(log, { warn: (facts: unknown) => warnings.push(facts) });
  for (let count = 0; count < 6; count++) await sendAt(account, '2026-06-01T12:00:00Z');
  expect(warnings).toEqual([{ account_id: account.accountId, used: 4, limit: 5 }]);
  const { value } = (await service.context.metrics.batchesRefused.get()).values[0]!;
  expect(value).toBeGreaterThan(0);
});

test('the counts of days that ended long ago are deleted', async () => {
  const account = await accountIn('UTC', 5);
  await sendAt(account, '2026-07-01T12:00:00Z');
  await sendAt(account, '2026-07-30T12:00:00Z');
  now = new Date('2026-08-03T12:00:00Z');
  await forgetOldDays(service.context);
  const { rows } = await service.context.pool.query<{ day: string }>(
    'select day::text from batch_days where account_id = $1',
    [account.accountId],
  );
  expect(rows).toEqual([{ day: '2026-07-30' }]);
});
