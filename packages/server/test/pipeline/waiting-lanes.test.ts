import { afterEach, expect, vi } from 'vitest';
import { createContext } from '#app/create-context.ts';
import { requestsChannel } from '#pipeline/accept/accept-store.ts';
import type { Lane } from '#pipeline/queue/lane.ts';
import { watchQueues } from '#pipeline/worker/watch-queues.ts';
import { onSingleServerOnly } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { lockWaits } from '../support/lock-waits.ts';

const onSingleServer = onSingleServerOnly('it counts the statements of one server');

let notified: (lanes?: readonly Lane[]) => void = () => undefined;
const service = await forFile(startTestService({ worker: false }));
const context = await forFile(createContext(service.context.config, 'worker', { features: service.context.features }));
const isListening = Promise.withResolvers<void>();
const queues = await forFile(
  watchQueues(context, (lanes) => {
    if (lanes === undefined) isListening.resolve();
    notified(lanes);
  }),
);
await queues.waitingLanes();
await isListening.promise;
afterEach(() => vi.restoreAllMocks());

/** Accepts a request of an account, and waits until its notification has arrived. */
async function createContact(account: TestAccount): Promise<void> {
  const arrived = new Promise<void>((resolve) => {
    notified = (lanes) => {
      if (lanes?.some(({ accountId }) => accountId === account.accountId) === true) resolve();
    };
  });
  const contacts = [{ identity: 'one@example.com' }];
  const answer = await account.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
  expect(answer.status).toBe(200);
  await arrived;
}

/** Counts how often the lanes of all accounts are read. */
function countReads(): Disposable & { count(): number } {
  const query = vi.spyOn(context.pool, 'query');
  return {
    count() {
      const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
      return texts.filter((text) => text.includes('recursive waiting')).length;
    },
    [Symbol.dispose]: () => query.mockRestore(),
  };
}

/** Returns the waiting accounts in their order, and how often the lanes of all accounts were read. */
async function waiting(at: number): Promise<{ accounts: number[]; reads: number }> {
  using _clock = vi.spyOn(performance, 'now').mockReturnValue(at);
  using reads = countReads();
  const accounts = [...(await queues.waitingLanes()).keys()];
  return { accounts, reads: reads.count() };
}

/** Begins to read the lanes of all accounts at a time. The read ends after `goOn`. */
async function heldRead(at: number): Promise<{ goOn(): Promise<void> }> {
  vi.spyOn(performance, 'now').mockReturnValue(at);
  const { pool } = service.context;
  const client = await pool.connect();
  await client.query('begin; lock table request_queue in access exclusive mode');
  const read = queues.waitingLanes();
  while ((await pool.query(lockWaits)).rowCount === 0);
  return {
    async goOn() {
      await client.query('rollback');
      client.release();
      await read;
    },
  };
}

onSingleServer('a worker knows from notifications who waits, and seldom reads the lanes of all accounts', async () => {
  const accounts = [await service.createAccount(), await service.createAccount(), await service.createAccount()];
  const [one, two, three] = accounts.map(({ accountId }) => accountId) as [number, number, number];
  const now = performance.now() + 1_000_000;
  expect(await waiting(now)).toEqual({ accounts: [], reads: 1 });
  for (const account of accounts) await createContact(account);
  expect(await waiting(now)).toEqual({ accounts: [one, two, three], reads: 0 });

  // Requests of the first account are left, those of the second one are all applied.
  queues.forget({ accountId: one, numbers: [0] });
  queues.left({ accountId: one, numbers: [0] }, false);
  queues.forget({ accountId: two, numbers: [0] });
  queues.left({ accountId: two, numbers: [0] }, true);
  expect(await waiting(now)).toEqual({ accounts: [three, one], reads: 0 });

  // A request that nobody was told about is found later.
  const later = await waiting(now + 1_000_000);
  expect(later).toEqual({ accounts: [three, one, two], reads: 1 });
});

onSingleServer('a worker reads the lanes of an account with several buckets after each notification', async () => {
  const account = await service.createAccount({ name: 'Large', settings: { buckets: 16 } });
  await createContact(account);
  const now = performance.now() + 3_000_000;
  expect((await waiting(now)).reads).toBe(1);
  const { accounts, reads } = await waiting(now);
  expect(reads).toBe(0);
  expect(accounts).toContain(account.accountId);
  const [number] = (await queues.waitingLanes()).get(account.accountId)!;
  expect(number).toBeGreaterThan(0);
  queues.forget({ accountId: account.accountId, numbers: [number!] });
  queues.left({ accountId: account.accountId, numbers: [number!] }, false);
  expect((await waiting(now)).reads).toBe(1);
});

onSingleServer('a worker reads the lanes of an account after requests that need all of them', async () => {
  const account = await service.createAccount({ name: 'Large', settings: { buckets: 16 } });
  const data = [{ name: 'COLOUR', data_type: 'text' }];
  expect((await account.v5('/client/attribute/create', { data })).status).toBe(200);
  await createContact(account);
  // Like another worker that has just started, which was told about neither.
  await using other = new AsyncDisposableStack();
  const isListening = Promise.withResolvers<void>();
  const started = other.use(watchQueues(context, () => isListening.resolve()));
  await started.waitingLanes();
  await isListening.promise;
  const lanes = { accountId: account.accountId, numbers: [0] };
  expect([...(await started.waitingLanes()).get(account.accountId)!]).toEqual([0]);
  await service.context.db
    .deleteFrom('request_queue')
    .where('account_id', '=', account.accountId)
    .where('lane', '=', 0)
    .execute();
  started.forget(lanes);
  started.left(lanes, true);
  using _clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const [number] = (await started.waitingLanes()).get(account.accountId)!;
  expect(number).toBeGreaterThan(0);
});

onSingleServer('a loop reads again if a notification has arrived during the read of another loop', async () => {
  using reads = countReads();
  const other = await heldRead(performance.now() + 5_000_000);
  const isNotified = new Promise<void>((resolve) => (notified = () => resolve()));
  await service.context.pool.query('select pg_notify($1, $2)', [requestsChannel, '']);
  await isNotified;
  const own = queues.waitingLanes();
  await other.goOn();
  await own;
  expect(reads.count()).toBe(2);
});

onSingleServer('after a read that took long by accident, the next one comes soon', async () => {
  const now = performance.now() + 7_000_000;
  const read = await heldRead(now);
  vi.spyOn(performance, 'now').mockReturnValue(now + 60_000);
  await read.goOn();
  expect((await waiting(now + 60_400)).reads).toBe(0);
  expect((await waiting(now + 60_700)).reads).toBe(1);
});
