import { expect, test } from 'vitest';
import { createGroupWriter, type GroupWriter } from './group-writer.ts';

interface Entry {
  readonly owner: number;
  readonly name: string;
}

/** Creates a writer. The test ends each group itself. */
function createTestWriter(concurrent: number, perOwner: number, sizeOf: (entry: Entry) => number = () => 1) {
  const groups: { readonly names: string[]; readonly end: (error?: Error) => void }[] = [];
  const writer: GroupWriter<Entry, string> = createGroupWriter<Entry, string>({
    concurrent,
    perOwner,
    ownerOf: ({ owner }) => owner,
    sizeOf,
    write: (entries) =>
      new Promise((resolve, reject) => {
        const names = entries.map(({ name }) => name);
        const end = (error?: Error): void => (error === undefined ? resolve(names) : reject(error));
        groups.push({ names, end });
      }),
  });
  const add = (owner: number, ...names: string[]) => names.map((name) => writer.add({ owner, name }));
  return { writer, groups, add };
}

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('a group of the group writer has entries of each owner in turn, and keeps the order of each owner', async () => {
  const { writer, groups, add } = createTestWriter(1, 1);
  const first = add(1, 'first');
  await expect.poll(() => groups.length).toBe(1);
  const entries = [...add(1, ...numbered('a', 600)), ...add(2, 'b0', 'b1'), ...add(3, 'c0')];
  groups[0]!.end();
  expect(await Promise.all(first)).toEqual(['first']);
  await expect.poll(() => groups.length).toBe(2);
  const { names } = groups[1]!;
  expect(names).toHaveLength(256);
  expect(names.slice(0, 5).sort()).toEqual(['a0', 'a1', 'b0', 'b1', 'c0']);
  expect(names.filter((name) => name.startsWith('a'))).toEqual(numbered('a', 253));
  groups[1]!.end();
  for (const at of [2, 3]) {
    await expect.poll(() => groups.length).toBe(at + 1);
    groups[at]!.end();
  }
  expect(await Promise.all(entries)).toEqual([...numbered('a', 600), 'b0', 'b1', 'c0']);
  await writer.drain();
});

test('the group writer lets an owner write only its maximum number of groups, and writes other owners', async () => {
  const { groups, add } = createTestWriter(3, 2, ({ name }) => (name.startsWith('a') ? 5_000_000 : 1));
  void add(1, ...numbered('a', 10));
  await expect.poll(() => groups.length).toBe(2);
  void add(2, 'b0');
  await expect.poll(() => groups.length).toBe(3);
  expect(groups.map(({ names }) => names)).toEqual([['a0'], ['a1'], ['b0']]);
  void add(3, 'c0');
  groups[0]!.end();
  await expect.poll(() => groups.length).toBe(4);
  // The owner without a running group comes first. The other owner is allowed its second group
  // again.
  expect(groups[3]!.names).toEqual(['c0', 'a2']);
});

test('a failed group of the group writer rejects only its own entries', async () => {
  const { writer, groups, add } = createTestWriter(1, 1);
  const lost = add(1, 'a0', 'a1');
  await expect.poll(() => groups.length).toBe(1);
  const kept = add(1, 'a2');
  groups[0]!.end(new Error('no disk'));
  expect(await Promise.allSettled(lost)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  await expect.poll(() => groups.length).toBe(2);
  groups[1]!.end();
  expect(await Promise.all(kept)).toEqual(['a2']);
  await writer.drain();
});

test('drain of the group writer waits for waiting entries and for running groups', async () => {
  const { writer, groups, add } = createTestWriter(1, 1);
  void add(1, 'a0');
  let drained = false;
  const draining = writer.drain().then(() => (drained = true));
  await expect.poll(() => groups.length).toBe(1);
  void add(2, 'b0');
  groups[0]!.end();
  await expect.poll(() => groups.length).toBe(2);
  expect(drained).toBe(false);
  groups[1]!.end();
  await draining;
});
