import fc from 'fast-check';
import pg from 'pg';
import pino from 'pino';
import { expect, test } from 'vitest';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { lanesPerAccount, laneOfKey } from '#pipeline/operations/buckets.ts';
import { StoredPayload } from '#pipeline/operations/stored-payload.ts';
import { Tally } from '#pipeline/operations/tally.ts';
import { nextRequests } from '#pipeline/queue/batch-store.ts';
import { finishRequests } from '#pipeline/queue/finish-store.ts';
import { takeLanes } from '#pipeline/queue/lane.ts';
import { withdrawRequest } from '#pipeline/queue/withdraw.ts';
import { onSingleServerOnly } from '../support/cluster.ts';
import { cases } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startTestService({ worker: false, log }));

async function accountWith(buckets: number, settings: object = {}): Promise<TestAccount> {
  const account = await service.createAccount();
  const changed = await account.operator('PATCH', '', { settings: { buckets, ...settings } });
  expect(changed.body.settings.buckets).toBe(buckets);
  return account;
}
async function send(account: TestAccount, path: string, data: object): Promise<string> {
  const answer = await account.v5(path, { data });
  expect(answer.status).toBe(200);
  return answer.body.request_id;
}
const create = (account: TestAccount, contacts: object[]) =>
  send(account, '/contact/create', { contact_type: 'identified', contacts });
const update = (account: TestAccount, contacts: object[]) => send(account, '/contact/update', { contacts });
const people = (count: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({ identity: `p${at}@example.com`, ...more(at) }));
const city = (name: string) => ({ attributes: { CITY: name } });
const request = async (account: TestAccount, id: string) => (await account.operator('GET', `/requests/${id}`)).body;
const queued = ({ accountId }: TestAccount) =>
  service.context.db.selectFrom('request_queue').where('account_id', '=', accountId).selectAll().execute();

/**
 * Runs workers until the queue is empty. Each loop takes a share of the lanes of an account, as if
 * there were as many worker processes as loops.
 */
async function work(workers = 2, loops = 3): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (let at = 0; at < workers * loops; at++) {
    const lease = new pg.Client({ connectionString: service.context.config.databaseUrl! });
    await lease.connect();
    stack.defer(() => lease.end());
    await lease.query('select pg_advisory_lock($1, $2)', [advisoryLocks.jobLease, at]);
  }
  for (let at = 0; at < workers; at++) stack.use(service.startWorker(loops, 50));
  await service.settled();
}

test('the lane of a contact key stays the same in all versions, because stored requests depend on it', () => {
  const keys = ['', 'a@example.com', 'b@example.com', '+49170123456', 'ü'];
  expect(keys.map(laneOfKey)).toEqual([11, 8, 13, 4, 4]);
});

test('a request of an account with several buckets waits in parts, each with the contacts of one lane', async () => {
  const account = await accountWith(16);
  const id = await create(account, people(200));
  const rows = await queued(account);
  expect(rows.length).toBeGreaterThan(10);
  expect(new Set(rows.map(({ lane }) => lane)).size).toBe(rows.length);
  expect(rows.every(({ lane, parts }) => lane >= 1 && lane <= lanesPerAccount && parts === rows.length)).toBe(true);
  expect(rows.reduce((sum, { total }) => sum + total, 0)).toBe(200);
  const stored = await service.context.db
    .selectFrom('requests')
    .where('account_id', '=', account.accountId)
    .where('request_id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(new StoredPayload(stored.payload, stored.payload_codec).whole()).toMatchObject({ contacts: people(200) });
  await work();
  expect(await request(account, id)).toMatchObject({ status: 'done', counts: { total: 200, created: 200 } });
  expect(await account.rows({ output: { fields: ['identity'], pagination: { page: 1, limit: 1000 } } })).toHaveLength(
    200,
  );
});

const onOneServer = onSingleServerOnly('transactions have no common number on a cluster');
onOneServer.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [16, 16],
])('divided by %i, the lanes of an account are applied in %i transactions', async (loops, transactions) => {
  const account = await accountWith(16);
  const id = await create(account, people(400));
  expect(await queued(account)).toHaveLength(lanesPerAccount);
  await work(1, loops);
  const { rows } = await service.context.pool.query<{ count: number }>(
    'select count(distinct xmin::text)::int as count from contacts where account_id = $1',
    [account.accountId],
  );
  expect(rows).toEqual([{ count: transactions }]);
  expect(await request(account, id)).toMatchObject({ status: 'done', counts: { total: 400, created: 400 } });
});

test('an account with one bucket has one row for each request, and so has a request for one lane', async () => {
  const one = await accountWith(1);
  await create(one, people(50));
  expect(await queued(one)).toMatchObject([{ lane: 0, parts: 1, total: 50 }]);
  const several = await accountWith(16);
  await create(several, [{ identity: 'a@example.com' }]);
  expect(await queued(several)).toMatchObject([{ lane: laneOfKey('a@example.com'), part: 0, parts: 1, total: 1 }]);
  await work();
});

test('the counts of all parts are added up, and failures keep the indexes of their items', async () => {
  const account = await accountWith(16);
  const contacts = people(120, (at) => (at % 10 === 3 ? { email: 'other@example.com' } : city(`${at}`)));
  const id = await create(account, contacts);
  const warned = await create(
    account,
    people(60, () => ({ attributes: { NOT_THERE: 1 } })),
  );
  await work();
  const { failures, counts } = await request(account, id);
  expect(counts).toMatchObject({ total: 120, created: 108, failed: 12 });
  expect(failures.map(({ index }: { index: number }) => index)).toEqual(
    contacts.flatMap((_, at) => (at % 10 === 3 ? [at] : [])),
  );
  const { body: filtered } = await account.operator('GET', `/requests/${id}?failures_with_contacts=true`);
  expect(filtered.failures[1].contact).toEqual({ field: 'identity', value: 'p13@example.com' });
  const { failures: warnings, counts: warnedCounts } = await request(account, warned);
  expect(warnedCounts).toMatchObject({ total: 60, warnings: 60, failed: 0 });
  expect(warnings.map(({ index }: { index: number }) => index)).toEqual(people(60).map((_, at) => at));
});

test('a request keeps up to a thousand warnings, however many parts it has', async () => {
  const account = await accountWith(16);
  const unknown = { attributes: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`NOT_THERE_${at}`, 1])) };
  const id = await create(
    account,
    people(100, () => unknown),
  );
  await work();
  expect((await request(account, id)).counts).toMatchObject({ total: 100, warnings: 2000 });
  const stored = service.context.db.selectFrom('request_failures').where('account_id', '=', account.accountId);
  const rows = await stored.select(['item_index']).orderBy('item_index').execute();
  expect(rows).toHaveLength(1000);
  expect(rows.at(-1)!.item_index).toBe(49);
});

test('a request that finds a contact by its e-mail address waits for earlier requests, and later ones wait for it', async () => {
  const account = await accountWith(16);
  await create(
    account,
    people(40, () => city('1')),
  );
  await update(
    account,
    people(40, () => city('2')),
  );
  const byEmail = await update(account, [{ email: 'p1@example.com', attributes: { STATE: 'x' } }]);
  await update(
    account,
    people(40, () => ({ attributes: { CITY: '3', STATE: null } })),
  );
  expect((await queued(account)).filter(({ lane }) => lane === 0)).toMatchObject([{ request_id: byEmail }]);
  await work(3);
  expect((await request(account, byEmail)).counts).toMatchObject({ updated: 1 });
  const rows = await account.rows({ output: { fields: ['CITY', 'STATE'], pagination: { page: 1, limit: 100 } } });
  expect(rows).toEqual(people(40).map(() => ({ CITY: '3', STATE: null })));
});

test('a contact that gets an identity of another lane keeps the order of its requests', async () => {
  const account = await accountWith(16);
  const target = Array.from({ length: 50 }, (_, at) => `new${at}@example.com`).find(
    (key) => laneOfKey(key) !== laneOfKey('p0@example.com'),
  )!;
  await create(
    account,
    people(20, () => city('1')),
  );
  await work();
  const output = { fields: ['contact_id', 'identity', 'CITY'], pagination: { page: 1, limit: 100 } };
  const { contact_id: contactId } = (await account.rows({ output })).find(
    (row) => row['identity'] === 'p0@example.com',
  )!;
  const moved = await update(account, [{ contact_id: contactId, email: target }]);
  await update(account, [{ identity: target, ...city('2') }]);
  const gone = await update(account, [{ identity: 'p0@example.com', ...city('3') }]);
  await work();
  expect((await request(account, moved)).counts).toMatchObject({ updated: 1 });
  expect((await request(account, gone)).counts).toMatchObject({ failed: 1 });
  const rows = await account.rows({ output });
  expect(rows).toHaveLength(20);
  expect(rows.find(({ identity }) => identity === target)).toEqual({
    contact_id: contactId,
    identity: target,
    CITY: '2',
  });
});

test('an attribute that contacts of several lanes create is created once, and no value is lost', async () => {
  const account = await accountWith(16, { auto_create_attributes: true });
  const ids = [];
  for (let n = 0; n < 4; n++)
    ids.push(
      await create(
        account,
        people(100, (at) => ({ attributes: { SHOE: at, [`N${n}`]: n } })),
      ),
    );
  lines.length = 0;
  await work(3);
  for (const id of ids) {
    const { status, counts } = await request(account, id);
    expect(status).toBe('done');
    expect(counts).toMatchObject({ total: 100, failed: 0, warnings: 0 });
  }
  const rows = await account.rows({
    output: { fields: ['identity', 'SHOE', 'N0', 'N1', 'N2', 'N3'], pagination: { page: 1, limit: 100 } },
  });
  const row = (at: number) => ({ identity: `p${at}@example.com`, SHOE: at, N0: 0, N1: 1, N2: 2, N3: 3 });
  expect(rows.sort((a, b) => Number(a['SHOE']) - Number(b['SHOE']))).toEqual(people(100).map((_, at) => row(at)));
  expect(lines.filter((line) => line.includes('could not'))).toEqual([]);
});

test('the number of buckets can change while requests wait', async () => {
  const account = await accountWith(1);
  const buckets = [1, 16, 1, 16];
  for (const [n, count] of buckets.entries()) {
    await account.operator('PATCH', '', { settings: { buckets: count } });
    await create(
      account,
      people(60, () => city(`${n}`)),
    );
  }
  expect(new Set((await queued(account)).map(({ lane }) => lane === 0))).toEqual(new Set([true, false]));
  await work(3);
  const rows = await account.rows({ output: { fields: ['CITY'], pagination: { page: 1, limit: 100 } } });
  expect(rows).toEqual(people(60).map(() => ({ CITY: '3' })));
});

test('a part that is given up fails its own items, and the request ends with the other parts', async () => {
  const account = await accountWith(16);
  const id = await create(account, people(100));
  const [poisoned] = await queued(account);
  await service.context.db
    .updateTable('request_queue')
    .set({ attempts: 5 })
    .where('account_id', '=', account.accountId)
    .where('lane', '=', poisoned!.lane)
    .execute();
  await work();
  const { status, counts, failures } = await request(account, id);
  expect(status).toBe('done');
  expect(counts).toMatchObject({ total: 100, created: 100 - poisoned!.total, failed: poisoned!.total });
  const lost = people(100).flatMap(({ identity }, at) => (laneOfKey(identity) === poisoned!.lane ? [at] : []));
  expect(failures.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
    lost.map((at) => [at, 'given_up']),
  );
});

test('a request that is withdrawn after some of its parts were applied ends with the other items as failed', async () => {
  const account = await accountWith(16);
  const id = await create(account, people(100));
  const [kept] = await queued(account);
  // The test holds all lanes but one.
  const holder = new pg.Client({ connectionString: service.context.config.databaseUrl! });
  await holder.connect();
  const numbers = (await queued(account)).map(({ lane }) => lane).filter((lane) => lane !== kept!.lane);
  expect(await takeLanes(holder, { accountId: account.accountId, numbers }, 16)).toBeDefined();
  const worker = service.startWorker();
  await expect.poll(async () => (await queued(account)).some(({ lane }) => lane === kept!.lane)).toBe(false);
  await worker[Symbol.asyncDispose]();
  await holder.end();
  expect(await withdrawRequest(service.context.pool, account.accountId, id, service.context.now())).toBe(true);
  const { status, counts, failures } = await request(account, id);
  expect(status).toBe('done');
  expect(counts).toMatchObject({ total: 100, created: kept!.total, failed: 100 - kept!.total });
  const left = people(100).flatMap(({ identity }, at) => (laneOfKey(identity) === kept!.lane ? [] : [at]));
  expect(failures.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual(
    left.map((at) => [at, 'withdrawn']).slice(0, failures.length),
  );
  expect(await withdrawRequest(service.context.pool, account.accountId, id, service.context.now())).toBe(false);
});

test('a request whose parts are withdrawn while they are applied together was withdrawn, not lost', async () => {
  const { pool, now } = service.context;
  const account = await accountWith(16);
  const id = await create(account, people(100));
  const lanes = { accountId: account.accountId, numbers: (await queued(account)).map(({ lane }) => lane) };
  const parts = await nextRequests(pool, lanes, []);
  expect(parts.length).toBeGreaterThan(10);
  expect(await withdrawRequest(pool, account.accountId, id, now())).toBe(true);
  const worker = await pool.connect();
  const ends = finishRequests(worker, lanes, new Tally().results(parts), now());
  await expect(ends).rejects.toMatchObject({ name: 'RequestsGone', withdrawn: true });
  worker.release();
});

test('the timeline of a contact shows the requests that were applied in parts', async () => {
  const account = await accountWith(16);
  const first = await create(account, people(80));
  const second = await update(
    account,
    people(80, () => city('x')),
  );
  await work();
  const [row] = await account.rows({ output: { fields: ['contact_id'], pagination: { page: 1, limit: 1 } } });
  const { body } = await account.operator('GET', `/contacts/${String(row!['contact_id'])}/timeline`);
  const ids = JSON.stringify(body);
  expect(ids).toContain(first);
  expect(ids).toContain(second);
});

test('requests have the same effect with one bucket and with several', async () => {
  const identities = Array.from({ length: 12 }, (_, at) => `q${at}@example.com`);
  const identity = fc.constantFrom(...identities);
  const values = fc.record({ CITY: fc.constantFrom('a', 'b', 'c'), STATE: fc.constantFrom('x', null) });
  const mobile = fc.constantFrom('1234567', '7654321', null);
  const item = fc.record({ identity, attributes: values, mobile }, { requiredKeys: ['identity'] });
  const items = fc.array(item, { minLength: 1, maxLength: 15 });
  const byAny = fc.oneof(
    { weight: 4, arbitrary: item },
    { weight: 1, arbitrary: fc.record({ email: identity, attributes: values }) },
    { weight: 1, arbitrary: fc.record({ identity, email: fc.constantFrom(...identities), attributes: values }) },
  );
  const operation = fc.oneof(
    fc.record({ path: fc.constant('/contact/create'), contacts: items }),
    fc.record({ path: fc.constant('/contact/update'), contacts: fc.array(byAny, { minLength: 1, maxLength: 8 }) }),
    fc.record({
      path: fc.constant('/contact/delete'),
      contacts: fc.array(fc.record({ identity }), { minLength: 1, maxLength: 3 }),
    }),
  );
  const loops = fc.constantFrom(1, 3, 16);
  const fields = ['identity', 'EMAIL', 'MOBILE', 'CITY', 'STATE', 'contact_type'];
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 3, maxLength: 25 }), loops, async (operations, loopsOfWorker) => {
      const results = [];
      for (const account of [await accountWith(1), await accountWith(16)]) {
        const ids = [];
        for (const { path, contacts } of operations) {
          const type = path === '/contact/create' ? { contact_type: 'identified' } : {};
          ids.push(await send(account, path, { ...type, contacts }));
        }
        await work(2, loopsOfWorker);
        const requests = [];
        for (const id of ids) {
          const { status, counts, failures } = await request(account, id);
          requests.push({ status, counts, failures });
        }
        const rows = await account.rows({ output: { fields, pagination: { page: 1, limit: 100 } } });
        results.push({ requests, rows: rows.map((row) => JSON.stringify(row)).sort() });
      }
      expect(results[1]).toEqual(results[0]);
    }),
    { numRuns: cases(10) },
  );
}, 180_000);
