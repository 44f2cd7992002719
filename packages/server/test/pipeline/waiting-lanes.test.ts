import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createContext } from '#app/create-context.ts';
import type { Context } from '#platform/context.ts';
import type { Lane } from '#pipeline/queue/lane.ts';
import { watchQueues, type QueueWatch } from '#pipeline/worker/watch-queues.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let context: Context;
let queues: QueueWatch;
let notified: (lanes?: readonly Lane[]) => void = () => undefined;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  context = createContext(service.context.config, 'worker', { features: service.context.features });
  const isListening = Promise.withResolvers<void>();
  queues = watchQueues(context, (lanes) => {
    if (lanes === undefined) isListening.resolve();
    notified(lanes);
  });
  await queues.waitingLanes();
  await isListening.promise;
});
afterAll(async () => {
  await queues[Symbol.asyncDispose]();
  await context[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

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

/** Returns the waiting accounts in their order, and whether the lanes of all accounts were read for it. */
async function waiting(at: number): Promise<{ accounts: number[]; isRead: boolean }> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(at);
  const query = vi.spyOn(pg.Pool.prototype, 'query');
  const accounts = [...(await queues.waitingLanes()).keys()];
  const texts = query.mock.calls.map(([statement]) => JSON.stringify(statement));
  query.mockRestore();
  clock.mockRestore();
  return { accounts, isRead: texts.some((text) => text.includes('recursive waiting')) };
}

test('a worker knows from notifications who waits, and seldom reads the lanes of all accounts', async () => {
  const accounts = [await service.createAccount(), await service.createAccount(), await service.createAccount()];
  const [one, two, three] = accounts.map(({ accountId }) => accountId) as [number, number, number];
  const now = performance.now() + 1_000_000;
  expect(await waiting(now)).toEqual({ accounts: [], isRead: true });
  for (const account of accounts) await createContact(account);
  expect(await waiting(now)).toEqual({ accounts: [one, two, three], isRead: false });

  // Requests of the first account are left, those of the second one are all applied.
  queues.forget({ accountId: one, numbers: [0] });
  queues.left({ accountId: one, numbers: [0] }, false);
  queues.forget({ accountId: two, numbers: [0] });
  queues.left({ accountId: two, numbers: [0] }, true);
  expect(await waiting(now)).toEqual({ accounts: [three, one], isRead: false });

  // A request that nobody was told about is found later.
  const later = await waiting(now + 1_000_000);
  expect(later).toEqual({ accounts: [three, one, two], isRead: true });
});

test('a worker reads the lanes of an account with several buckets after each notification', async () => {
  const account = await service.createAccount({ name: 'Large', settings: { buckets: 16 } });
  await createContact(account);
  const now = performance.now() + 3_000_000;
  expect((await waiting(now)).isRead).toBe(true);
  const { accounts, isRead } = await waiting(now);
  expect(isRead).toBe(false);
  expect(accounts).toContain(account.accountId);
  const [number] = (await queues.waitingLanes()).get(account.accountId)!;
  expect(number).toBeGreaterThan(0);
  queues.forget({ accountId: account.accountId, numbers: [number!] });
  queues.left({ accountId: account.accountId, numbers: [number!] }, false);
  expect((await waiting(now)).isRead).toBe(true);
});
