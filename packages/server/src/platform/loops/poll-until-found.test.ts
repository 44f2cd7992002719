import { expect, test, vi } from 'vitest';
import { pollUntilFound } from './poll-until-found.ts';

const never = async (): Promise<undefined> => undefined;

test('pollUntilFound polls until it finds something, and returns it', async () => {
  let polls = 0;
  expect(await pollUntilFound(async () => (++polls < 4 ? undefined : 'found'), { first: 1, max: 2 })).toBe('found');
  expect(polls).toBe(4);
});

test('pollUntilFound returns undefined after the timeout, but polls at least once', async () => {
  expect(await pollUntilFound(never, { first: 1, timeout: 5 })).toBeUndefined();
  expect(await pollUntilFound(async () => 'found', { first: 1, timeout: 0 })).toBe('found');
});

test('the timeout of pollUntilFound does not end early when the clock of the computer is set forward', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let polls = 0;
  const look = async (): Promise<string | undefined> => {
    vi.setSystemTime(Date.now() + 3_600_000);
    return ++polls < 3 ? undefined : 'found';
  };
  try {
    expect(await pollUntilFound(look, { first: 1, timeout: 1_800_000 })).toBe('found');
  } finally {
    vi.useRealTimers();
  }
});

test('pollUntilFound throws the error of a poll', async () => {
  const look = (): Promise<undefined> => Promise.reject(new Error('the database is unreachable'));
  await expect(pollUntilFound(look, { first: 1 })).rejects.toThrow('the database is unreachable');
});

test('pollUntilFound throws the reason of its signal when it is aborted during a long pause', async () => {
  const stopping = new AbortController();
  const waiting = pollUntilFound(never, { first: 3_600_000, signal: stopping.signal });
  stopping.abort(new Error('the process stops'));
  await expect(waiting).rejects.toThrow('the process stops');
});

test('pollUntilFound does not poll if its signal is already aborted', async () => {
  const looked: true[] = [];
  const look = async (): Promise<number> => looked.push(true);
  await expect(pollUntilFound(look, { first: 1, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
    'gone',
  );
  expect(looked).toEqual([]);
});
