import { expect, test } from 'vitest';
import { lookUntilFound } from './look-until-found.ts';

const never = async (): Promise<undefined> => undefined;

test('lookUntilFound looks until it finds something, and returns it', async () => {
  let looks = 0;
  expect(await lookUntilFound(async () => (++looks < 4 ? undefined : 'found'), { first: 1, most: 2 })).toBe('found');
  expect(looks).toBe(4);
});

test('lookUntilFound returns undefined after the timeout, but looks at least once', async () => {
  expect(await lookUntilFound(never, { first: 1, timeout: 5 })).toBeUndefined();
  expect(await lookUntilFound(async () => 'found', { first: 1, timeout: 0 })).toBe('found');
});

test('lookUntilFound throws the error of a look', async () => {
  const look = (): Promise<undefined> => Promise.reject(new Error('the database is unreachable'));
  await expect(lookUntilFound(look, { first: 1 })).rejects.toThrow('the database is unreachable');
});

test('lookUntilFound throws the reason of its signal when it is aborted during a long pause', async () => {
  const stopping = new AbortController();
  const waiting = lookUntilFound(never, { first: 3_600_000, signal: stopping.signal });
  stopping.abort(new Error('the process stops'));
  await expect(waiting).rejects.toThrow('the process stops');
});

test('lookUntilFound does not look if its signal is already aborted', async () => {
  const looked: true[] = [];
  const look = async (): Promise<number> => looked.push(true);
  await expect(lookUntilFound(look, { first: 1, signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
    'gone',
  );
  expect(looked).toEqual([]);
});
