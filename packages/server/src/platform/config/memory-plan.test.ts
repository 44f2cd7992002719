import { expect, test } from 'vitest';
import { planMemory } from './memory-plan.ts';

test.each([
  [512, 1],
  [1024, 2],
  [2048, 2],
  [4096, 2],
  [24_576, 2],
  [262_144, 64],
])('with %i MiB and %i cores the parts are a share of the memory, and bounded', (mebibytes, cores) => {
  const { heapMiB, largeBodies, threads, threadHeapMiB } = planMemory(mebibytes, cores);
  const used = heapMiB + largeBodies * 48 + threads * threadHeapMiB;
  expect(used).toBeLessThanOrEqual(Math.max(mebibytes * 0.6, 640));
  expect(heapMiB).toBeLessThanOrEqual(4096);
  expect([largeBodies, threads, threadHeapMiB].every((part, at) => part >= [2, 1, 192][at]!)).toBe(true);
});

test('a machine with memory to spare has a thread for the others while one account reads a large body', () => {
  expect(planMemory(24_576, 2)).toEqual({ heapMiB: 4096, largeBodies: 16, threads: 2, threadHeapMiB: 512 });
});
