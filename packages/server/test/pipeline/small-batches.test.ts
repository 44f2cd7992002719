import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
import { startWorker } from '#pipeline/worker/worker.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service[Symbol.asyncDispose]());

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
