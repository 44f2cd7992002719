import { expect, test, vi } from 'vitest';
import type { Backlog } from '#pipeline/log/backlog-store.ts';
import { createBacklogReader, BacklogTimeout } from './backlog-reader.ts';

const backlog = (requests: number): Backlog => ({ requests, items: requests, oldest: null });

test('many callers of the backlog reader in one second cause one query', async () => {
  let clock = 0;
  const read = vi.fn(async () => backlog(read.mock.calls.length));
  const readNow = createBacklogReader(read, () => clock);

  const readings = await Promise.all(Array.from({ length: 100 }, readNow));
  clock = 999;
  readings.push(await readNow());
  expect(readings.every(({ requests }) => requests === 1)).toBe(true);
  clock = 1000;
  expect(await readNow()).toEqual(backlog(2));
  expect(read).toHaveBeenCalledTimes(2);
});

test('the backlog reader passes a failed query on to its callers, and queries again a second later', async () => {
  let clock = 0;
  const read = vi.fn<() => Promise<Backlog>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue(backlog(3));
  const readNow = createBacklogReader(read, () => clock);
  await expect(readNow()).rejects.toThrow('away');
  clock = 1000;
  expect(await readNow()).toEqual(backlog(3));
});

test('the backlog reader does not repeat a hanging query, and its callers wait for up to 2.5 s', async () => {
  let clock = 0;
  const hanging = Promise.withResolvers<Backlog>();
  const read = vi.fn<() => Promise<Backlog>>().mockReturnValueOnce(hanging.promise).mockResolvedValue(backlog(5));
  const readNow = createBacklogReader(read, () => clock);
  vi.useFakeTimers();
  const first = expect(readNow()).rejects.toThrow(BacklogTimeout);
  await vi.advanceTimersByTimeAsync(2500);
  await first;
  vi.useRealTimers();
  clock = 60_000;
  await expect(readNow()).rejects.toThrow(BacklogTimeout);
  expect(read).toHaveBeenCalledTimes(1);

  hanging.resolve(backlog(4));
  await hanging.promise;
  clock = 61_000;
  expect(await readNow()).toEqual(backlog(5));
});
