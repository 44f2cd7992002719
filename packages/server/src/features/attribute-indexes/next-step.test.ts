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
  ['nothing is wanted and there', [], [], 'nothing'],
  ['nothing is there', [row], [], `build ${prefix}_start_value`],
  ['the statistics are there', [row], all.slice(0, 1), `build ${prefix}_asc`],
  ['one is missing', [row], without('_cut'), `build ${prefix}_cut, the last`],
  ['all are there', [row], all, 'publish'],
  ['searches know', [{ ...row, indexed_as: 'text' }], all, 'nothing'],
  ['searches know, and one is gone', [{ ...row, indexed_as: 'text' }], without('_asc'), 'withdraw'],
  ['searches know, and it is not wanted', [{ ...row, wanted: false, indexed_as: 'text' }], all, 'withdraw'],
  ['searches know it of another type', [{ ...row, data_type: 'number', indexed_as: 'text' }], all, 'withdraw'],
  ['the type is another one', [{ ...row, data_type: 'number' }], all, `drop ${prefix}_start_value`],
  ['the attribute is gone', [], all, `drop ${prefix}_start_value`],
  ['one is invalid', [row], all.map((one) => ({ ...one, valid: !one.name.endsWith('_desc') })), `drop ${prefix}_desc`],
  ['building failed just now', [{ ...row, index_failed_at: now }], [], 'nothing'],
  [
    'building failed a minute ago',
    [{ ...row, index_failed_at: new Date(now.getTime() - 60_000) }],
    [],
    `build ${prefix}_start_value`,
  ],
] as [string, IndexRow[], Built[], string][])('when %s', (_, rows, built, step) => {
  expect(summary(nextStep(rows, built, now))).toBe(step);
});

test('no two attributes share a name, and none is cut off', () => {
  const names = (accountId: number, attributeId: number) =>
    definitionsOf({ accountId, attributeId, dataType: 'text' }).map(({ name }) => name);
  const some = [names(1, 11), names(11, 1), names(1, 1), names(11, 11)].flat();
  expect(new Set(some).size).toBe(some.length);
  // Longer names would be cut off, and not found again.
  for (const name of names(2_147_483_647, 2_147_483_647)) expect(name.length).toBeLessThan(64);
});
