import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { within } from './within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<string>(() => undefined);

test('a promise that settles in time decides, and leaves no timer', async () => {
  await expect(within(100, Promise.resolve('done'), () => 'late')).resolves.toBe('done');
  await expect(within(100, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed');
  expect(vi.getTimerCount()).toBe(0);
});

test('after the time, the result is what the function returns or throws', async () => {
  const returned = within(100, never, () => 'late');
  const thrown = within(100, never, () => {
    throw new Error('too late');
  });
  void vi.advanceTimersByTimeAsync(100);
  await expect(returned).resolves.toBe('late');
  await expect(thrown).rejects.toThrow('too late');
});
