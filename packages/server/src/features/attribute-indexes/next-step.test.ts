import { expect, test } from 'vitest';
import { definitionsOf } from './definitions.ts';
import type { Built, IndexRow } from './index-store.ts';
import { nextStep, type Step } from './next-step.ts';

const now = new Date('2026-08-01T09:00:00.000Z');
const row: IndexRow = {
  account_id: 1,
  attribute_id: 5,
  data_type: 'text',
  wanted: true,
  indexed_as: null,
  index_failed_at: null,
};
const all: Built[] = definitionsOf({ accountId: 1, attributeId: 5, dataType: 'text' }).map(({ kind, name }) => ({
  kind,
  name,
  valid: true,
}));
const without = (name: string) => all.filter((one) => !one.name.endsWith(name));
const summary = (step: Step | undefined): string =>
  step === undefined
    ? 'nothing'
    : step.kind === 'build'
      ? `build ${step.definition.name}${step.isLast ? ', the last' : ''}`
      : step.kind === 'drop'
        ? `drop ${step.built.name}`
        : step.kind;

const prefix = 'contacts_attribute_1_5_text';
test.each([
  ['no index is wanted and none exists', [], [], 'nothing'],
  ['no index exists', [row], [], `build ${prefix}_start_value`],
  ['only the statistics exist', [row], all.slice(0, 1), `build ${prefix}_asc`],
  ['one index is missing', [row], without('_cut'), `build ${prefix}_cut, the last`],
  ['all indexes exist', [row], all, 'publish'],
  ['searches use the indexes', [{ ...row, indexed_as: 'text' }], all, 'nothing'],
  ['searches use the indexes and one is missing', [{ ...row, indexed_as: 'text' }], without('_asc'), 'withdraw'],
  [
    'searches use the indexes and they are not wanted any more',
    [{ ...row, wanted: false, indexed_as: 'text' }],
    all,
    'withdraw',
  ],
  ['searches use the indexes of another type', [{ ...row, data_type: 'number', indexed_as: 'text' }], all, 'withdraw'],
  ['the attribute has another type', [{ ...row, data_type: 'number' }], all, `drop ${prefix}_start_value`],
  ['the attribute was deleted', [], all, `drop ${prefix}_start_value`],
  [
    'one index is invalid',
    [row],
    all.map((one) => ({ ...one, valid: !one.name.endsWith('_desc') })),
    `drop ${prefix}_desc`,
  ],
  ['a build has just failed', [{ ...row, index_failed_at: now }], [], 'nothing'],
  [
    'a build failed a minute ago',
    [{ ...row, index_failed_at: new Date(now.getTime() - 60_000) }],
    [],
    `build ${prefix}_start_value`,
  ],
] as [string, IndexRow[], Built[], string][])(
  'the next step of the index builder is right when %s',
  (_, rows, built, step) => {
    expect(summary(nextStep(rows, built, now))).toBe(step);
  },
);

test('the index names of different attributes differ, and are short enough for PostgreSQL', () => {
  const names = (accountId: number, attributeId: number) =>
    definitionsOf({ accountId, attributeId, dataType: 'text' }).map(({ name }) => name);
  const some = [names(1, 11), names(11, 1), names(1, 1), names(11, 11)].flat();
  expect(new Set(some).size).toBe(some.length);
  // PostgreSQL would cut off longer names, and the service would not find them again.
  for (const name of names(2_147_483_647, 2_147_483_647)) expect(name.length).toBeLessThan(64);
});
