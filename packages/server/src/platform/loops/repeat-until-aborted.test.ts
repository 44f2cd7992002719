import { expect, test } from 'vitest';
import { isWorthALine, repeatUntilAborted } from './repeat-until-aborted.ts';

/**
 * Runs a task that fails as `runs` says, and stops after the last run. Returns the reported numbers
 * of consecutive failures.
 */
async function failuresOf(runs: readonly ('fails' | 'works' | 'works, then fails')[]): Promise<number[]> {
  const stopping = new AbortController();
  const reported: number[] = [];
  const left = [...runs];
  await repeatUntilAborted(
    async (recovered) => {
      const next = left.shift()!;
      if (left.length === 0) stopping.abort();
      if (next === 'works, then fails') recovered();
      if (next !== 'works') throw new Error('away');
    },
    { signal: stopping.signal, first: 1, max: 2, onError: (_error, failures) => void reported.push(failures) },
  );
  expect(left).toEqual([]);
  return reported;
}

test('repeatUntilAborted continues after failures, and counts them until a run succeeds', async () => {
  expect(await failuresOf(['works', 'fails', 'fails', 'works', 'fails', 'works'])).toEqual([1, 2, 1]);
});

test('repeatUntilAborted counts a failure after `recovered` was called as the first failure', async () => {
  expect(await failuresOf(['fails', 'fails', 'works, then fails', 'fails'])).toEqual([1, 2, 1, 2]);
});

test.each([
  ['a success', { interval: 3_600_000, first: 1 }, false],
  ['a failure', { interval: 0, first: 3_600_000 }, true],
])('repeatUntilAborted ends during the pause after %s when its signal is aborted', async (_what, pauses, fails) => {
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

test('repeatUntilAborted waits for the current run, and does not begin if its signal is already aborted', async () => {
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

test('the first failure in a row gets a log line, and then one a minute', () => {
  const logged = Array.from({ length: 30 }, (_, at) => at + 1).filter((failures) => isWorthALine(failures, 5000));
  expect(logged).toEqual([1, 13, 25]);
});
