import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFairGate, GateRefusal, type FairGate, type Leave } from './fair-gate.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const options = { total: 3, perKey: 2, waitingPerKey: 2, timeout: 1000 };

/** Lets promises settle. */
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Enters the gate, and logs the name after it has entered. */
function enter(gate: FairGate<string>, key: string, name: string, log: string[]): Promise<Leave> {
  const entry = gate.enter(key);
  entry.then(
    () => log.push(name),
    () => undefined,
  );
  return entry;
}

test('a key of the fair gate gets only its maximum number of slots, and other keys get the rest', async () => {
  const gate = createFairGate<string>(options);
  const log: string[] = [];
  const [first] = ['a1', 'a2', 'a3'].map((name) => enter(gate, 'a', name, log));
  void enter(gate, 'b', 'b1', log);
  await settle();
  expect(log).toEqual(['a1', 'a2', 'b1']);
  expect([gate.inside, gate.waiting]).toEqual([3, 1]);
  (await first!)();
  await settle();
  expect(log).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('a free slot of the fair gate goes to the key with the fewest slots, and equal keys take turns', async () => {
  const gate = createFairGate<string>({ ...options, total: 2, waitingPerKey: 9 });
  const log: string[] = [];
  const inside = [await gate.enter('a'), await gate.enter('a')];
  const entries = ['a', 'a', 'b', 'c', 'b', 'c'].map((key, at) => enter(gate, key, `${key}${at}`, log));
  inside[0]!();
  for (const next of [2, 3, 4, 5]) {
    await settle();
    (await entries[next]!)();
  }
  await settle();
  expect(log).toEqual(['b2', 'c3', 'b4', 'c5', 'a0']);
});

test('the fair gate refuses an entry that waits too long, and says whether its key or the total is the limit', async () => {
  const gate = createFairGate<string>({ ...options, total: 2 });
  await gate.enter('a');
  const leave = await gate.enter('a');
  const refused = [gate.enter('a'), gate.enter('b')].map((entry) => entry.catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(1000);
  expect(await Promise.all(refused)).toMatchObject([{ by: 'key' }, { by: 'total' }]);
  expect(gate.waiting).toBe(0);
  leave();
  expect(await gate.enter('b')).toBeTypeOf('function');
});

test('the fair gate refuses an entry at once if too many entries of its key wait', async () => {
  const gate = createFairGate<string>(options);
  for (let n = 0; n < 4; n++) void gate.enter('a').catch(() => undefined);
  await expect(gate.enter('a')).rejects.toThrow(GateRefusal);
});

test('an aborted entry of the fair gate stops waiting and takes no slot', async () => {
  const gate = createFairGate<string>({ ...options, total: 1 });
  const leave = await gate.enter('a');
  const aborting = new AbortController();
  const entry = gate.enter('b', aborting.signal);
  aborting.abort(new Error('gone'));
  await expect(entry).rejects.toThrow('gone');
  await expect(gate.enter('b', aborting.signal)).rejects.toThrow('gone');
  leave();
  expect([gate.inside, gate.waiting]).toEqual([0, 0]);
});

test('leaving the fair gate twice frees one slot', async () => {
  const gate = createFairGate<string>(options);
  const [leave] = [await gate.enter('a'), await gate.enter('a')];
  leave();
  leave();
  expect(gate.inside).toBe(1);
});

test('tryEnter of the fair gate succeeds only if a slot is free', async () => {
  const gate = createFairGate<string>(options);
  expect(gate.tryEnter('a')).toBeTypeOf('function');
  const leave = gate.tryEnter('a')!;
  expect(gate.tryEnter('a')).toBeUndefined();
  expect(gate.tryEnter('b')).toBeTypeOf('function');
  expect(gate.tryEnter('c')).toBeUndefined();
  leave();
  expect(gate.tryEnter('c')).toBeTypeOf('function');
});
