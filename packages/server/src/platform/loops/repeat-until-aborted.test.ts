import { expect, test } from 'vitest';
import { repeatUntilAborted } from './repeat-until-aborted.ts';

/** Runs a task that fails where `runs` says so, and stops after the last run. Returns the failures in a row that were told. */
async function failuresOf(runs: readonly ('fails' | 'works' | 'works, then fails')[]): Promise<number[]> {
  const stopping = new AbortController();
  const told: number[] = [];
  const left = [...runs];
  await repeatUntilAborted(
    async (recovered) => {
      const next = left.shift()!;
      if (left.length === 0) stopping.abort();
      if (next === 'works, then fails') recovered();
      if (next !== 'works') throw new Error('away');
    },
    { signal: stopping.signal, first: 1, most: 2, onError: (_error, failures) => void told.push(failures) },
  );
  expect(left).toEqual([]);
  return told;
}

test('goes on after failures, and counts them until a run succeeds', async () => {
  expect(await failuresOf(['works', 'fails', 'fails', 'works', 'fails', 'works'])).toEqual([1, 2, 1]);
});

test('a failure of a run that worked before counts as the first', async () => {
  expect(await failuresOf(['fails', 'fails', 'works, then fails', 'fails'])).toEqual([1, 2, 1, 2]);
});

test.each([
  ['a success', { interval: 3_600_000, first: 1 }, false],
  ['a failure', { interval: 0, first: 3_600_000 }, true],
])('ends during the pause after %s when the signal is aborted', async (_what, pauses, fails) => {
  const stopping = new AbortController();
  let runs = 0;
  const repeating = repeatUntilAborted(
    async () => {
      runs++;
      setImmediate(() => stopping.abort());
      if (fails) throw new Error('away');
    },
    { signal: stopping.signal, ...pauses, onError: () => undefined },
  );
  await repeating;
  expect(runs).toBe(1);
});

test('waits for the run under way, and does not begin when the signal was aborted before', async () => {
  const stopping = new AbortController();
  const steps: string[] = [];
  const options = { signal: stopping.signal, first: 1, onError: () => undefined };
  await repeatUntilAborted(async () => {
    stopping.abort();
    await new Promise(setImmediate);
    steps.push('ended');
  }, options);
  await repeatUntilAborted(async () => void steps.push('begun'), options);
  expect(steps).toEqual(['ended']);
});
