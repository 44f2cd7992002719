import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createContext } from '#app/create-context.ts';
import type { PipelineOperation } from '#pipeline/operations/payload.ts';
import type { BatchListener } from '#pipeline/worker/serve-lanes.ts';
import { startWorker } from '#pipeline/worker/worker.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));

/**
 * Lets a worker apply a hundred requests that wait, and sends two more when they are applied, the
 * second one 10 ms after the first. Returns the number of requests of each batch.
 */
async function sizesOfBatches(workerLoops: number): Promise<number[]> {
  const account = await service.createAccount();
  const create = (name: string) =>
    account.v5('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: `${name}@example.com` }] },
    });
  await Promise.all(Array.from({ length: 100 }, (_, at) => create(`waiting-${at}`)));
  const sizes: number[] = [];
  const applied = Promise.withResolvers<void>();
  await using context = createContext({ ...service.context.config, workerLoops }, 'worker', {
    features: service.context.features,
  });
  await using _worker = startWorker(context, (results) => {
    sizes.push(results.length);
    applied.resolve();
  });
  await applied.promise;
  await create('first');
  await sleep(10);
  await create('second');
  await service.settled();
  return sizes;
}

/** Repeats a round until it has the result, because the machine can be busy. Returns the last result. */
async function repeated(loops: number, wanted: readonly number[]): Promise<number[]> {
  let sizes: number[] = [];
  for (let round = 1; round <= 4; round++) {
    sizes = await sizesOfBatches(loops);
    if (sizes.join() === wanted.join()) break;
  }
  return sizes;
}

test('after a small batch of several requests, the next ones share a batch', async () => {
  expect(await repeated(2, [100, 2])).toEqual([100, 2]);
});

test('a loop does not pause while no other loop is free for other accounts', async () => {
  expect(await repeated(1, [100, 1, 1])).toEqual([100, 1, 1]);
});

/** Accepts changes of attributes, each of which needs a batch of its own. */
async function createAttributes(account: TestAccount, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const answer = await account.v5('/client/attribute/create', {
      data: [{ name: `COLOUR_${at}`, data_type: 'text' }],
    });
    expect(answer.status).toBe(200);
  }
}

async function createContact(account: TestAccount, name = 'one'): Promise<void> {
  const contacts = [{ identity: `${name}@example.com` }];
  const answer = await account.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
  expect(answer.status).toBe(200);
}

/** Starts a worker with one loop. */
function startLoop(onBatch: BatchListener): AsyncDisposable {
  const context = createContext({ ...service.context.config, workerLoops: 1 }, 'worker', {
    features: service.context.features,
  });
  const worker = startWorker(context, onBatch);
  return {
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await context[Symbol.asyncDispose]();
    },
  };
}

/** Applies all requests in one loop. Returns the operation of each batch. `onFirst` runs after the first one. */
async function operationsInOrder(onFirst?: () => Promise<void>): Promise<PipelineOperation[]> {
  const operations: PipelineOperation[] = [];
  let first: Promise<void> | undefined;
  await using _loop = startLoop(([result]) => {
    operations.push(result!.request.operation);
    first ??= onFirst?.();
  });
  await service.settled();
  await first;
  await service.settled();
  return operations;
}

test('an account that waits already is served after the next small batch of another account', async () => {
  await createAttributes(await service.createAccount(), 3);
  await createContact(await service.createAccount());
  const operations = await operationsInOrder();
  expect(operations.indexOf('contact.create')).toBe(1);
  expect(operations).toHaveLength(4);
});

test('an account with a new request does not wait for all small batches of another account', async () => {
  const other = await service.createAccount();
  await createAttributes(await service.createAccount(), 30);
  const operations = await operationsInOrder(() => createContact(other));
  expect(operations).toHaveLength(31);
  expect(operations.at(-1)).not.toBe('contact.create');
});

test('an account has its turn also after the clock of the worker was set back', async () => {
  const account = await service.createAccount();
  const other = await service.createAccount();
  const operations: PipelineOperation[] = [];
  let onBatch = (): void => undefined;
  await using _loop = startLoop(([result]) => {
    operations.push(result!.request.operation);
    onBatch();
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  await createContact(account, 'ahead');
  await service.settled();
  vi.useRealTimers();
  const isSent = Promise.withResolvers<void>();
  onBatch = () => {
    onBatch = () => undefined;
    isSent.resolve(createContact(account, 'back'));
  };
  await createAttributes(other, 30);
  await isSent.promise;
  await service.settled();
  expect(operations).toHaveLength(32);
  expect(operations.at(-1)).not.toBe('contact.create');
});
