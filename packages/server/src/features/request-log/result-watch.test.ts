import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FinishedRequest, RequestKey } from './finished-store.ts';
import { createResultWatch } from './result-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;
const key = (requestId: string, accountId = 1): RequestKey => ({ accountId, requestId });
const counts = { total: 1, created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 };
const finished = (one: RequestKey): FinishedRequest => ({
  ...one,
  status: 'done',
  counts,
  finishedAt: new Date('2026-01-31T09:00:00Z'),
});

/** A watch that finds the requests in `done`, and logs which requests it looks for. */
function watchOf(milliseconds = 0) {
  const looks: string[][] = [];
  const done = new Set<string>();
  const warnings: unknown[] = [];
  let running = 0;
  const state = { looks, done, warnings, fails: false, mostRunning: 0 };
  const look = async (keys: readonly RequestKey[]): Promise<FinishedRequest[]> => {
    looks.push(keys.map(({ requestId }) => requestId));
    state.mostRunning = Math.max(state.mostRunning, ++running);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    running--;
    if (state.fails) throw new Error('the database is away');
    return keys.filter(({ requestId }) => done.has(requestId)).map(finished);
  };
  return { watch: createResultWatch(look, { warn: (facts: unknown) => void warnings.push(facts) } as never), state };
}

test('the watch finds a request that is finished later, and stops looking', async () => {
  const { watch, state } = watchOf();
  const found = watch.find(key('a'), never);
  await vi.advanceTimersByTimeAsync(50);
  state.done.add('a');
  await vi.advanceTimersByTimeAsync(50);
  expect(await found).toEqual(finished(key('a')));
  const { length } = state.looks;
  expect(length).toBeGreaterThan(3);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.looks).toHaveLength(length);
  expect(vi.getTimerCount()).toBe(0);
});

test('the watch looks for all waiting requests in few statements, one at a time', async () => {
  const { watch, state } = watchOf(20);
  const waits = Array.from({ length: 500 }, (_, n) => watch.find(key(`a${n}`), never));
  const other = watch.find(key('b', 2), never);
  await vi.advanceTimersByTimeAsync(4);
  expect(state.looks.map(({ length }) => length)).toEqual([250]);
  await vi.advanceTimersByTimeAsync(1000);
  for (let n = 0; n < 500; n++) state.done.add(`a${n}`);
  state.done.add('b');
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all([...waits, other]);
  expect(state.mostRunning).toBe(1);
});

test('the pauses between the looks for a request grow up to 100 ms', async () => {
  const { watch, state } = watchOf();
  void watch.find(key('a'), never);
  await vi.advanceTimersByTimeAsync(10_000);
  // 4, 6, 9, … ms and then every 100 ms.
  expect(state.looks.length).toBeGreaterThan(90);
  expect(state.looks.length).toBeLessThan(115);
});

test('a new request is looked for soon, while another one has waited for long', async () => {
  const { watch, state } = watchOf();
  void watch.find(key('old'), never);
  await vi.advanceTimersByTimeAsync(5001);
  state.done.add('new');
  const found = watch.find(key('new'), never);
  await vi.advanceTimersByTimeAsync(6);
  expect(await found).toEqual(finished(key('new')));
});

test('an aborted wait resolves with undefined at once, and nothing looks for it any more', async () => {
  const { watch, state } = watchOf();
  const ending = new AbortController();
  const found = watch.find(key('a'), ending.signal);
  await vi.advanceTimersByTimeAsync(30);
  ending.abort();
  expect(await found).toBeUndefined();
  const { length } = state.looks;
  await vi.advanceTimersByTimeAsync(1000);
  expect(state.looks.slice(length).flat()).toEqual([]);
  expect(await watch.find(key('b'), ending.signal)).toBeUndefined();
});

test('the watch goes on after a failed look, with a longer pause', async () => {
  const { watch, state } = watchOf();
  state.fails = true;
  const found = watch.find(key('a'), never);
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.looks.length).toBeLessThan(12);
  expect(state.warnings).toHaveLength(state.looks.length);
  state.fails = false;
  state.done.add('a');
  await vi.advanceTimersByTimeAsync(600);
  expect(await found).toEqual(finished(key('a')));
});
