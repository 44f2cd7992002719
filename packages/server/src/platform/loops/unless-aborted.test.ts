import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

const never = new Promise<string>(() => undefined);

test('an abort ends the wait with the reason of the signal', async () => {
  const ending = new AbortController();
  const wait = unlessAborted(never, ending.signal);
  ending.abort(new Error('the client has gone'));
  await expect(wait).rejects.toThrow('the client has gone');
  await expect(unlessAborted(never, ending.signal)).rejects.toThrow('the client has gone');
});

test('a wait that has ended leaves no listener', async () => {
  const { signal } = new AbortController();
  await expect(unlessAborted(Promise.resolve('done'), signal)).resolves.toBe('done');
  await expect(unlessAborted(Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
