import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { createContacts, keepsAll, record, recorded } from './support.ts';

// A request of this size makes a batch of its own. The worker writes it while the previous batch is
// still being written.
const size = 2000;
// After a pause the worker writes one batch at a time. On a busy machine one batch can take a
// second, so the worker must not pause before all are done.
const longPeriod = 60_000;
const patience = { timeout: 20_000 };

let account: TestAccount;
const service = await forFile(startTestService({ worker: false }));
beforeEach(async () => {
  account = await service.createAccount({ name: 'Two at a time', settings: keepsAll });
});

const firstMoment = Date.parse('2026-05-10T00:00:00Z');

/** A record made from a number. Equal numbers make equal records. */
const numbered = (n: number, fields: object = {}) =>
  record({
    identity: `person${n % 97}@example.com`,
    id: `evt-${n}`,
    occurred_at: new Date(firstMoment + n * 1000).toISOString(),
    ...fields,
  });
const recordsFrom = (from: number, fields: object = {}) =>
  Array.from({ length: size }, (_, n) => numbered(from + n, fields));

async function send(records: readonly object[]): Promise<string> {
  const { status, body } = await account.operator('POST', '/activities', { data: records });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.request_id;
}

async function work(): Promise<void> {
  await using _worker = service.startWorker(1, longPeriod);
  await service.settled();
}

const countsOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await account.operator('GET', `/requests/${id}`)).body.counts));

async function rows(): Promise<number> {
  const { count } = await service.context.db
    .selectFrom('activities')
    .where('account_id', '=', account.accountId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Makes the second of three requests wait for a contact, and calls `then` during that wait. */
async function whileSecondWaits(third: readonly object[], then: () => Promise<void>): Promise<string[]> {
  {
    await using _worker = service.startWorker(1, longPeriod);
    await createContacts(account, 'blocked@example.com');
    // This creates the partition of the month.
    await recorded(service, account, [numbered(-1)]);
  }
  const optOut = numbered(size, { identity: 'blocked@example.com', channel: 'sms', activity: 'unsubscribe' });
  const ids = [await send(recordsFrom(0)), await send([optOut, ...recordsFrom(size).slice(1)]), await send(third)];
  await using workers = new AsyncDisposableStack();
  await service.context.db.transaction().execute(async (trx) => {
    await sql`select from contacts where account_id = ${account.accountId} for update`.execute(trx);
    workers.use(service.startWorker(1, longPeriod));
    await vi.waitUntil(async () => (await writers()).some((isWaiting) => isWaiting), patience);
    await then();
  });
  await service.settled();
  return ids;
}

/** For each connection of the worker with uncommitted writes: whether it waits for a lock. */
async function writers(): Promise<boolean[]> {
  const { db } = await service.context.servers.of(account.accountId);
  const { rows: found } = await sql<{ waits: boolean }>`
    select coalesce(wait_event_type = 'Lock', false) as waits from pg_stat_activity
    where datname = current_database() and application_name = 'roster worker'
      and state in ('active', 'idle in transaction') and backend_xid is not null`.execute(db);
  return found.map(({ waits }) => waits);
}

test('a large request is written at the same time as the previous one, and committed after it', async () => {
  const ids = await whileSecondWaits(recordsFrom(2 * size), async () => {
    await vi.waitUntil(async () => (await writers()).length === 2, patience);
    expect(await rows()).toBe(size + 1);
  });
  expect((await countsOf(ids)).map(({ created, unchanged }) => [created, unchanged])).toEqual(ids.map(() => [size, 0]));
  expect(await rows()).toBe(3 * size + 1);
});

test('a large request that repeats a record of the previous one waits for that request', async () => {
  const repeated = [...recordsFrom(2 * size).slice(1), numbered(size + 7)];
  const ids = await whileSecondWaits(repeated, async () => {
    // The second writer must not appear. Twenty looks give it the time to.
    for (let look = 0; look < 20; look++) expect((await writers()).length).toBe(1);
  });
  expect((await countsOf(ids)).map(({ created, unchanged }) => [created, unchanged])).toEqual([
    [size, 0],
    [size, 0],
    [size - 1, 1],
  ]);
  expect(await rows()).toBe(3 * size);
});

test('large requests with repeated records have the same result as requests applied one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 3, maxLength: 6 }), async (places) => {
      account = await service.createAccount({ name: 'Any', settings: keepsAll });
      const ids: string[] = [];
      const seen = new Set<number>();
      const expected: [created: number, unchanged: number][] = [];
      for (const place of places) {
        const from = place * (size / 2);
        ids.push(await send(recordsFrom(from)));
        const before = seen.size;
        for (let n = from; n < from + size; n++) seen.add(n);
        expected.push([seen.size - before, size - (seen.size - before)]);
      }
      await work();
      expect((await countsOf(ids)).map(({ created, unchanged }) => [created, unchanged])).toEqual(expected);
      expect(await rows()).toBe(seen.size);
    }),
    { numRuns: 8 },
  );
});

test('a month without a partition gets one, whichever request comes first', async () => {
  const inMonth = (month: string, from: number) =>
    recordsFrom(from).map((one, n) => ({ ...one, occurred_at: new Date(Date.parse(month) + n * 1000).toISOString() }));
  const ids = [
    await send(inMonth('2023-01-05', 0)),
    await send(inMonth('2023-02-05', size)),
    await send(inMonth('2023-01-05', 2 * size)),
    await send([...inMonth('2023-03-05', 3 * size).slice(1), ...inMonth('2023-04-05', 4 * size).slice(0, 1)]),
    await send(inMonth('2023-04-05', 5 * size)),
  ];
  await work();
  expect((await countsOf(ids)).map(({ created }) => created)).toEqual(ids.map(() => size));
  expect(await rows()).toBe(ids.length * size);
});
