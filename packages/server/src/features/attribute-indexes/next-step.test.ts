import { expect, test } from 'vitest';
import type { SlotRow } from '#features/registry/slots/slot-store.ts';
import { slotColumns } from '#features/registry/slots/slot.ts';
import { definitionsOf } from './definitions.ts';
import type { Built, IndexRow } from './index-store.ts';
import { nextStep, type Step } from './next-step.ts';

const now = new Date('2026-08-01T09:00:00.000Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const row: IndexRow = {
  account_id: 1,
  attribute_id: 5,
  data_type: 'text',
  wanted: true,
  indexed_as: null,
  index_failed_at: null,
};
const ready: IndexRow = { ...row, indexed_as: 'text' };
const slot = (change: Partial<SlotRow> = {}): SlotRow => ({
  account_id: 1,
  slot: 'text_1',
  attribute_id: 5,
  data_type: 'text',
  state: 'filled',
  position: 0,
  changed_at: now,
  ...change,
});
const all: Built[] = definitionsOf('text_1').map(({ kind, name }) => ({ kind, name, valid: true }));
const without = (name: string) => all.filter((one) => !one.name.endsWith(name));
const summary = (step: Step | undefined): string => {
  if (step === undefined) return 'nothing';
  switch (step.kind) {
    case 'build':
      return `build ${step.definition.name}${step.isLast ? ', the last' : ''}`;
    case 'drop':
      return `drop ${step.built.name}`;
    case 'assign':
      return `assign ${step.slot}`;
    case 'release':
    case 'keep':
    case 'clear':
      return `${step.kind} ${step.slot.slot}`;
    default:
      return step.kind;
  }
};

test.each([
  ['no index is wanted and none exists', [], [], [], 'nothing'],
  ['no attribute has a slot', [row], [], [], 'assign text_1'],
  ['other slots of the account are in use', [row], [slot({ attribute_id: 6 })], all, 'assign text_2'],
  ['only another account uses the slot', [row], [slot({ account_id: 2 })], all, 'assign text_1'],
  [
    'all slots of the account are in use',
    [row],
    slotColumns.text.map((name) => slot({ slot: name, attribute_id: 6, state: 'clearing' })),
    [],
    'nothing',
  ],
  ['the slot is being filled', [row], [slot({ state: 'filling' })], [], 'nothing'],
  ['the slot is filled and no index exists', [row], [slot()], [], 'build contacts_text_1_folded'],
  ['only the statistics exist', [row], [slot()], all.slice(0, 1), 'build contacts_text_1'],
  ['one index is missing', [row], [slot()], without('_cut'), 'build contacts_text_1_cut, the last'],
  ['all indexes exist', [row], [slot()], all, 'publish'],
  ['searches use the slot and an index is missing', [ready], [slot()], without('_parts'), 'withdraw'],
  ['searches use the slot and it is not filled', [ready], [slot({ state: 'filling' })], all, 'withdraw'],
  [
    'searches use the slot and the index is not wanted any more',
    [{ ...ready, wanted: false }],
    [slot({ state: 'released' })],
    all,
    'withdraw',
  ],
  ['searches use the slot of another type', [{ ...ready, data_type: 'number' }], [slot()], all, 'withdraw'],
  ['the slot has values of another type', [{ ...row, data_type: 'number' }], [slot()], all, 'release text_1'],
  ['no attribute uses the index', [], [slot({ state: 'released' })], all, 'drop contacts_text_1_folded'],
  [
    'one index is invalid',
    [row],
    [slot()],
    all.map((one) => ({ ...one, valid: !one.name.endsWith('_parts') })),
    'drop contacts_text_1_parts',
  ],
  ['a released slot is wanted again', [row], [slot({ state: 'released', changed_at: ago(60) })], [], 'keep text_1'],
  [
    'a slot of another type was released',
    [{ ...row, data_type: 'date' }],
    [slot({ state: 'released' })],
    [],
    'assign number_1',
  ],
  ['a slot has just been released', [], [slot({ state: 'released' })], [], 'nothing'],
  ['a slot was released ten minutes ago', [], [slot({ state: 'released', changed_at: ago(10) })], [], 'clear text_1'],
  ['a slot is being cleared', [row], [slot({ state: 'clearing' })], [], 'assign text_2'],
  ['a build has just failed', [{ ...row, index_failed_at: now }], [slot()], [], 'nothing'],
  ['a build failed a minute ago', [{ ...row, index_failed_at: ago(1) }], [slot()], [], 'build contacts_text_1_folded'],
] as [string, IndexRow[], SlotRow[], Built[], string][])(
  'the next step of the index builder is right when %s',
  (_, rows, slots, built, step) => {
    const columns = slots.filter(({ state }) => state === 'filling' || state === 'filled').map((one) => one.slot);
    expect(summary(nextStep({ rows, slots, columns, built }, now))).toBe(step);
  },
);

test('the names of the indexes of different slots differ', () => {
  const names = [...slotColumns.number, ...slotColumns.text].flatMap((one) =>
    definitionsOf(one).map(({ name }) => name),
  );
  expect(new Set(names).size).toBe(names.length);
});
