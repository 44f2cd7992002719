import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Permission, RunningWork } from '@roster/contract';
import { checkInterval, openEventStream } from '#features/running-work/event-stream.ts';
import type { SourceWork } from '#features/running-work/list-work.ts';
import type { WorkWatch } from '#features/running-work/work-watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const work = (kind: RunningWork['kind']): RunningWork => ({
  kind,
  id: '1',
  title: 'x',
  status: 'running',
  percent: 1,
  rows_done: 1,
  rows_total: 2,
  rows_failed: 0,
  rows_per_second: 1,
  seconds_left: 1,
  error: null,
  started_at: '2026-01-31T09:00:00.000Z',
  finished_at: null,
});

/** A watch whose looks the test makes. */
function testWatch(sources: readonly SourceWork[]) {
  const listeners = new Set<(found: readonly SourceWork[]) => void>();
  const watch: WorkWatch = {
    accounts: 1,
    listen(_accountId, listener) {
      listeners.add(listener);
      listener(sources);
      return () => listeners.delete(listener);
    },
  };
  return { watch, listeners };
}

const sources: readonly SourceWork[] = [
  { permission: 'imports:read', work: [work('import')] },
  { permission: 'privacy:read', work: [work('erasure')] },
];
const kindsIn = (body: string): string[] =>
  [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
    (JSON.parse(data!) as { data: RunningWork[] }).data.map(({ kind }) => kind).join(),
  );

test('a role that is taken away changes what is sent, and then ends the stream', async () => {
  const { watch, listeners } = testWatch(sources);
  const rights: (Permission[] | undefined)[] = [['imports:read', 'privacy:read'], ['imports:read'], undefined];
  const canOf = (permissions: Permission[]) => (permission: Permission) => permissions.includes(permission);
  const stream = openEventStream(
    watch,
    {
      accountId: 1,
      can: () => true,
      check: async () => {
        const next = rights.shift();
        return next === undefined ? undefined : canOf(next);
      },
    },
    new AbortController().signal,
  );
  const body = text(stream);
  await vi.advanceTimersByTimeAsync(checkInterval);
  await vi.advanceTimersByTimeAsync(checkInterval);
  expect(kindsIn(await body)).toEqual(['import,erasure', 'import']);
  expect(listeners.size).toBe(0);
  expect(checkInterval).toBeLessThanOrEqual(10_000);
});

test('the stream ends when the rights cannot be checked', async () => {
  const { watch } = testWatch(sources);
  let checks = 0;
  const check = async () => {
    if (checks++ > 0) throw new Error('the database is away');
    return () => true;
  };
  const stream = openEventStream(watch, { accountId: 1, can: () => true, check }, new AbortController().signal);
  const body = text(stream);
  await vi.advanceTimersByTimeAsync(checkInterval);
  expect(kindsIn(await body)).toEqual(['import,erasure']);
});

test('nothing is sent after the rights ended, and looks without news need no check', async () => {
  const { watch, listeners } = testWatch(sources);
  let checks = 0;
  let isMember = true;
  const check = async () => {
    checks++;
    return isMember ? () => true : undefined;
  };
  const stream = openEventStream(watch, { accountId: 1, can: () => true, check }, new AbortController().signal);
  const body = text(stream);
  await vi.advanceTimersByTimeAsync(0);
  for (let look = 0; look < 10; look++) for (const listener of listeners) listener(sources);
  expect(checks).toBe(1);
  isMember = false;
  for (const listener of listeners) listener([{ permission: 'imports:read', work: [work('export')] }]);
  expect(kindsIn(await body)).toEqual(['import,erasure']);
  expect([checks, listeners.size]).toEqual([2, 0]);
});

test('work that is found during a check is sent only after another check', async () => {
  const { watch, listeners } = testWatch(sources);
  const running: ((can: (() => true) | undefined) => void)[] = [];
  const check = () => new Promise<(() => true) | undefined>((resolve) => running.push(resolve));
  const stream = openEventStream(watch, { accountId: 1, can: () => true, check }, new AbortController().signal);
  const body = text(stream);
  expect(running).toHaveLength(1);
  for (const listener of listeners) listener([{ permission: 'imports:read', work: [work('export')] }]);
  running[0]!(() => true);
  await vi.advanceTimersByTimeAsync(0);
  expect(running).toHaveLength(2);
  running[1]!(undefined);
  expect(kindsIn(await body)).toEqual(['import,erasure']);
});

test('a stop during a check ends the stream without an error', async () => {
  const { watch } = testWatch(sources);
  const stopping = new AbortController();
  let answer: (can: () => true) => void = () => undefined;
  const check = () => new Promise<() => true>((resolve) => (answer = resolve));
  const stream = openEventStream(watch, { accountId: 1, can: () => true, check }, stopping.signal);
  const body = text(stream);
  stopping.abort();
  answer(() => true);
  expect(kindsIn(await body)).toEqual([]);
});

test('a comment is sent when nothing changes', async () => {
  const { watch } = testWatch(sources);
  const stopping = new AbortController();
  const stream = openEventStream(
    watch,
    { accountId: 1, can: () => true, check: async () => () => true },
    stopping.signal,
  );
  const body = text(stream);
  await vi.advanceTimersByTimeAsync(60_000);
  stopping.abort();
  const sent = await body;
  expect(sent.match(/^: still here$/gm)!.length).toBeGreaterThanOrEqual(3);
  expect(kindsIn(sent)).toHaveLength(1);
});

test('a client that reads nothing gets the newest state later, and memory does not grow', async () => {
  let listener: ((found: readonly SourceWork[]) => void) | undefined;
  const watch: WorkWatch = {
    accounts: 1,
    listen(_accountId, own) {
      listener = own;
      return () => undefined;
    },
  };
  const stopping = new AbortController();
  const stream = openEventStream(
    watch,
    { accountId: 1, can: () => true, check: async () => () => true },
    stopping.signal,
  );
  for (let percent = 0; percent < 1000; percent++) {
    listener!([
      { permission: 'imports:read', work: [{ ...work('import'), title: 'x'.repeat(5000), rows_done: percent }] },
    ]);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(stream.readableLength).toBeLessThan(200_000);
  const body = text(stream);
  await vi.advanceTimersByTimeAsync(0);
  stopping.abort();
  expect(await body).toContain('"rows_done":999');
});
