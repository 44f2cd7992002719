import { expect, test } from 'vitest';
import { SharedLock } from './shared-lock.ts';

/** Creates tasks that record their begin, and that the test ends. */
function tasks() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    task: (name: string) => async () => {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      await end.promise;
      return name;
    },
    end: (name: string) => ends.get(name)!.resolve(),
    fail: (name: string) => ends.get(name)!.reject(new Error(name)),
  };
}

test('shared tasks of a lock run together, exclusive tasks run alone, and all begin in the order of the calls', async () => {
  const lock = new SharedLock();
  const { begun, task, end, fail } = tasks();
  const [a, b] = [lock.shared(task('a')), lock.shared(task('b'))];
  const alone = lock.exclusive(task('alone'));
  const c = lock.shared(task('c'));
  const second = lock.exclusive(task('second'));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);

  end('a');
  await expect(a).resolves.toBe('a');
  expect(begun).toEqual(['a', 'b']);
  fail('b');
  await expect(b).rejects.toThrow('b');
  await expect.poll(() => begun).toEqual(['a', 'b', 'alone']);

  fail('alone');
  await expect(alone).rejects.toThrow('alone');
  await expect.poll(() => begun).toEqual(['a', 'b', 'alone', 'c']);
  end('c');
  await expect(c).resolves.toBe('c');
  await expect.poll(() => begun).toEqual(['a', 'b', 'alone', 'c', 'second']);
  end('second');
  await second;
});
