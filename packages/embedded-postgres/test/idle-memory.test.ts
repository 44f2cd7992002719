import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapCodeStatistics } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { collectWhenIdle } from '../src/index.ts';

afterEach(() => {
  vi.useRealTimers();
});

const compiledBytes = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

test('an idle process frees compiled functions that are not in use, and they still work', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const code = (number: number): string =>
    `(x) => { let sum = ${number}; ${'sum += x * 2; '.repeat(100)} return sum; }`;
  const functions = Array.from(
    { length: 1000 },
    (_, number) => runInThisContext(code(number)) as (x: number) => number,
  );
  for (const [number, add] of functions.entries()) expect(add(0)).toBe(number);
  const before = compiledBytes();

  collectWhenIdle();
  vi.advanceTimersByTime(10_000);
  // The process was busy until now.
  expect(compiledBytes()).toBeGreaterThan(before - 100_000);

  // On a machine with other work, this process may seem busy for a while.
  for (let attempt = 1; attempt <= 20 && compiledBytes() > before - 400_000; attempt++) {
    await sleep(1000);
    vi.advanceTimersByTime(10_000);
  }
  expect(compiledBytes()).toBeLessThan(before - 400_000);
  expect(functions.map((add) => add(1))).toEqual(functions.map((_, number) => number + 200));
}, 30_000);
