import { expect, test } from 'vitest';
import { planMemory, processFlags } from './memory-plan.ts';

test.each([
  [512, 1],
  [1024, 2],
  [2048, 2],
  [4096, 2],
  [24_576, 2],
  [262_144, 64],
])('the memory plan for %i MiB and %i cores stays within its limits', (mebibytes, cores) => {
  const { heapMiB, largeBodies, threads, threadHeapMiB } = planMemory(mebibytes, cores);
  const used = heapMiB + largeBodies * 48 + threads * threadHeapMiB;
  expect(used).toBeLessThanOrEqual(Math.max(mebibytes * 0.6, 640));
  expect(heapMiB).toBeLessThanOrEqual(4096);
  expect([largeBodies, threads, threadHeapMiB].every((part, at) => part >= [2, 1, 192][at]!)).toBe(true);
});

test('the memory plan of a large machine has two threads, so that one large body does not block other accounts', () => {
  expect(planMemory(24_576, 2)).toEqual({ heapMiB: 4096, largeBodies: 16, threads: 2, threadHeapMiB: 512 });
});

test('processes get a larger young generation from 4 GiB of memory on', () => {
  const semiSpaces = (mebibytes: number) => {
    const { api, worker } = processFlags(mebibytes, planMemory(mebibytes, 2));
    return [api, worker].map((flags) => Number(/--max-semi-space-size=(\d+)/.exec(flags.join(' '))![1]));
  };
  expect(semiSpaces(2048)).toEqual([8, 16]);
  expect(semiSpaces(4095)).toEqual([8, 16]);
  expect(semiSpaces(4096)).toEqual([32, 64]);
});
