import type { DataMasking, DataType } from '@roster/contract';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { attributeKey, createRegistry, type Attribute, type StoredValue } from '#features/registry/registry.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import { copyStatement, type CopySource } from '#features/exports/run/copy-statement.ts';
import { fieldsOfColumns } from '#features/exports/run/export-columns.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { attributeField, fixedField, type Field, type FieldName } from '#features/search/filter/fields.ts';
import { mask } from '#features/registry/masking.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';

const accountId = 1;
const everybody: ResolvedFilter = {
  accountId,
  filters: [],
  segments: new Map(),
  listSizes: new Map(),
  oldestActivity: 0,
  hasMoves: true,
  removedLists: [],
  clock: { now: 0, timeZone: 'UTC' },
};

const context = await forFile(createTestContext());

/**
 * Copies all contacts, and reads the rows with another CSV parser. An empty cell is null, and `""`
 * is an empty text.
 */
async function copy(fields: readonly Field[], options: Partial<CopySource> = {}): Promise<(string | null)[][]> {
  const source = { filter: everybody, fields, blocklist: null, unmasked: false, formulaGuard: false, ...options };
  await using snapshot = await openSnapshot(context);
  const text = await buffer(snapshot.copyOut(copyStatement(source, 'each')));
  await snapshot.finish();
  return parse(text, {
    relax_column_count: true,
    cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
  });
}

async function storeOnly(...contacts: readonly object[]): Promise<void> {
  await context.pool.query('delete from contacts');
  for (const [index, contact] of contacts.entries()) {
    const row = {
      account_id: accountId,
      contact_key: `person${index}@example.com`,
      contact_id: index + 1,
      contact_type: 'identified',
      created_at: '2026-01-31T09:00:00Z',
      updated_at: '2026-01-31T09:00:00.120Z',
      ...contact,
    };
    const columns = Object.keys(row);
    const places = columns.map((_, at) => `$${at + 1}`);
    await context.pool.query(`insert into contacts (${columns.join()}) values (${places.join()})`, Object.values(row));
  }
}

function attributeOf(id: number, dataType: DataType, dataMasking: DataMasking): Attribute {
  return {
    id,
    key: attributeKey(accountId, id),
    name: `A${id}`,
    dataType,
    defaultValue: null,
    mapping: null,
    dataMasking,
    system: false,
    widenedFrom: null,
    slot: null,
  };
}

const texts = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', '\n', '\r', ',', 'a', '😀', '=', '@', '-', ' ', '\t', "'", '＝', '＋', '－', '＠'),
    maxLength: 14,
  }),
  fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0')),
  // Characters that combine into one: marks, joiners, skin tones, tags, variation selectors.
  fc.string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...Array.from('ae\n한ක👩🇮')) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(...Array.from('\u0301\u200d\ufe0f\u0dca\u{1f3fd}\u{e0067}\u{e007f}\u{1e94a}')),
      },
    ),
    maxLength: 30,
  }),
);
const numbers = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(
      1e21,
      -1e21,
      999_999_999_999_999_900_000,
      1e-6,
      9.9e-7,
      -1e-7,
      5e-324,
      1.797_693_134_862_315_7e308,
      0.1,
    ),
  )
  .map((number) => number + 0);
const values: Record<'text' | 'number' | 'boolean' | 'date', fc.Arbitrary<StoredValue>> = {
  text: texts,
  number: numbers,
  boolean: fc.boolean(),
  date: fc.constantFrom('1994-03-09', '2026-01-31'),
};

/** The expected text of a cell, with the mask that a search would use. */
function expected(value: StoredValue | null, type: string, masking: DataMasking, guard: boolean): string | null {
  const shown = mask(masking, value);
  if (shown === null) return null;
  const text = String(shown);
  const needsOne = guard && type === 'text' && /^'*[=+\-@\t\r\n＝＋－＠]/.test(text);
  return needsOne ? `'${text}` : text;
}

test('a cell has the value and the mask that a search returns, whatever is stored', async () => {
  const cell = fc.constantFrom(...(Object.keys(values) as (keyof typeof values)[])).chain((type) =>
    fc.record({
      type: fc.constant(type),
      masking: fc.constantFrom<DataMasking>('none', 'partial', 'full'),
      value: fc.option(values[type], { freq: 6 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.boolean(),
      async (cells, unmasked, formulaGuard) => {
        const attributes = cells.map(({ type, masking }, index) => attributeOf(index + 1, type, masking));
        const registry = createRegistry('EMAIL', attributes);
        const stored = Object.fromEntries(
          cells.flatMap(({ value }, index) => (value === null ? [] : [[attributes[index]!.key, value]])),
        );
        await storeOnly({ attributes: JSON.stringify(stored) });

        const fields = attributes.map((attribute) => attributeField(registry, attribute));
        const row = cells.map(({ value, type, masking }) =>
          expected(value, type, unmasked ? 'none' : masking, formulaGuard),
        );
        // Many readers skip empty lines, so a null is `""` in a file of one column.
        if (row.length === 1 && !formulaGuard) row[0] ??= '';
        expect(await copy(fields, { unmasked, formulaGuard })).toEqual([formulaGuard ? [...row, '1'] : row]);
      },
    ),
    { numRuns: 300 },
  );
});

test('the built-in fields have the values that a search returns', async () => {
  const registry = createRegistry('EMAIL', []);
  await storeOnly(
    { email: 'Asha@example.com', mobile: '919812345678', contact_id: 5, email_opted_out: true },
    { contact_key: 'anonymous/019a9d3e', contact_type: 'anonymous' },
  );
  const names: FieldName[] = [
    'contact_id',
    'contact_type',
    'identity',
    'email',
    'mobile',
    'created_at',
    'updated_at',
    'email_opted_out',
    'sms_opted_out',
  ];
  const created = '2026-01-31T09:00:00.000Z';
  const updated = '2026-01-31T09:00:00.120Z';
  expect(await copy(names.map((name) => fixedField(registry, name)))).toEqual([
    ['2', 'anonymous', null, null, null, created, updated, 'false', 'false'],
    ['5', 'identified', 'person0@example.com', 'Asha@example.com', '919812345678', created, updated, 'true', 'false'],
  ]);
});

test('a masked primary key is also masked as the identity', async () => {
  const customer = attributeOf(1, 'text', 'partial');
  const registry = createRegistry('A1', [customer]);
  await storeOnly({ contact_key: 'CUSTOMER-0001' });
  const fields = [attributeField(registry, customer), fixedField(registry, 'identity')];
  expect(await copy(fields)).toEqual([['*********0001', '*********0001']]);
  expect(await copy(fields, { unmasked: true })).toEqual([['CUSTOMER-0001', 'CUSTOMER-0001']]);
});

test('an attribute that is mapped to a masked one is masked like it', async () => {
  const target: Attribute = { ...attributeOf(1, 'text', 'full'), system: true };
  const registry = createRegistry('EMAIL', [target, { ...attributeOf(2, 'text', 'none'), mapping: 'A1' }]);
  await storeOnly({ attributes: JSON.stringify({ '1.2': 'Pune' }) });
  const fields = fieldsOfColumns([{ name: 'A1', attribute_id: 2 }], registry);
  expect(await copy(fields)).toEqual([['****']]);
  expect(await copy(fields, { unmasked: true })).toEqual([['Pune']]);
});

test('the formula guard covers addresses and texts, but not numbers', async () => {
  const registry = createRegistry('EMAIL', [attributeOf(1, 'number', 'none'), attributeOf(2, 'text', 'none')]);
  const attributes = JSON.stringify({ '1.1': -5, '1.2': '-5' });
  await storeOnly({ email: '+1@example.com', contact_key: '=1@example.com', attributes });
  const fields = [
    fixedField(registry, 'email'),
    fixedField(registry, 'identity'),
    ...registry.attributes.map((attribute) => attributeField(registry, attribute)),
  ];
  expect(await copy(fields, { formulaGuard: true })).toEqual([
    ["'+1@example.com", "'=1@example.com", '-5', "'-5", '1'],
  ]);
  expect(await copy(fields)).toEqual([['+1@example.com', '=1@example.com', '-5', '-5']]);
});

test('a blocklist leaves out contacts that opted out of its channel, and contacts that an operator has blocked', async () => {
  await storeOnly(
    {},
    { email_opted_out: true },
    { sms_opted_out: true },
    { whatsapp_opted_out: true },
    { contact_type: 'blacklisted', type_before_blacklisting: 'identified' },
    { contact_type: 'blacklisted', type_before_blacklisting: 'identified', email_opted_out: true },
  );
  const fields = [fixedField(createRegistry('EMAIL', []), 'contact_id')];
  expect((await copy(fields)).flat()).toEqual(['1', '2', '3', '4', '5', '6']);
  expect((await copy(fields, { blocklist: 'email' })).flat()).toEqual(['1', '3', '4']);
  expect((await copy(fields, { blocklist: 'mobile' })).flat()).toEqual(['1', '2', '6']);
});
