import { beforeEach, describe, expect, test } from 'vitest';
import { sweepContacts } from '#features/contacts/sweeps/sweep.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { buildIndexes, catalogue, createIndexes, removeIndexes, slotsOf, statusOf } from './support.ts';

let account: TestAccount;
const service = await forFile(startTestService());
beforeEach(async () => {
  await removeIndexes(service.context);
  account = await service.createAccount();
  const data = [
    { name: 'AGE', data_type: 'number' },
    { name: 'TIER', data_type: 'text' },
    { name: 'SINCE', data_type: 'date' },
  ];
  await account.createAttributes(data);
});

const age = 11;
const tier = 12;
const since = 13;
const textIndexes = [
  'contacts_text_1',
  'contacts_text_1_cut',
  'contacts_text_1_folded (statistics)',
  'contacts_text_1_parts',
];

/** Creates contacts with values of one attribute. All must be stored without a warning. */
async function store(name: string, values: readonly (string | number | null)[]): Promise<void> {
  const contacts = values.map((value, n) => ({
    identity: `${name}${n}@x.in`.toLowerCase(),
    attributes: value === null ? {} : { [name]: value },
  }));
  const { counts } = await account.createContacts(contacts);
  expect(counts).toMatchObject({ failed: 0, warnings: 0 });
}

/** The identities of the contacts that meet a condition. */
async function identities(condition: object): Promise<unknown[]> {
  const rows = await account.rows({
    filtering_criteria: [{ condition_details: [condition] }],
    output: { fields: ['identity'], sorting: [{ field: 'contact_id' }], pagination: { limit: 1000 } },
  });
  return rows.map((row) => row['identity']);
}

async function update(change: object): Promise<void> {
  expect((await account.v5('/client/attribute/update', { data: [change] })).status).toBe(200);
}

/** The values of an attribute in sorted order, including nulls. */
async function sorted(field: string, direction = 'asc'): Promise<unknown[]> {
  const output = { fields: [field], sorting: [{ field, direction }], pagination: { limit: 100 } };
  return (await account.rows({ output })).map((row) => row[field]);
}

const longestTexts = [
  // Characters of four bytes each, the most that UTF-8 has.
  '\u{1F600}'.repeat(1000),
  `${'\u{1F600}'.repeat(999)}a`,
  // This character takes more bytes in lower case.
  'Ⱥ'.repeat(1000),
  Array.from({ length: 1000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join(''),
];

describe('unusual texts', () => {
  test('texts of 1,000 characters of any width can be stored, found and sorted in an indexed attribute', async () => {
    await createIndexes(service.context, account, tier);
    await store('TIER', [...longestTexts, null, 'b', 'B']);
    const order = ['B', 'b', 'Ⱥ'.repeat(1000), longestTexts[3]!, longestTexts[1]!, longestTexts[0]!, null];
    expect(await sorted('TIER')).toEqual(order);
    expect(await sorted('TIER', 'desc')).toEqual([...order.slice(0, -1).reverse(), null]);
    const starting = { field: 'TIER', operation: 'starts_with', value: `${'\u{1F600}'.repeat(999)}A` };
    const rows = await account.rows({
      filtering_criteria: [{ condition_details: [starting] }],
      output: { fields: ['TIER'] },
    });
    expect(rows).toEqual([{ TIER: longestTexts[1] }]);
  });

  test('conditions on texts find the same contacts with and without an index', async () => {
    const last = '\u{10FFFF}';
    const values = [
      ...longestTexts,
      null,
      '',
      ' ',
      last,
      `${last}${last}`,
      `${last}a`,
      `a${last}`,
      '\u{1}',
      'ΟΔΟΣ',
      'οδος',
      'İstanbul',
      'straße',
      'STRASSE',
      '100%_\\',
      `${'a'.repeat(599)}b`,
      `${'a'.repeat(600)}b`,
      `${'A'.repeat(599)}Σ${'Σ'.repeat(10)}`,
      `${'\u{1F600}'.repeat(300)}end`,
    ];
    await store('TIER', values);
    const found = async () => {
      const answers: unknown[] = [];
      const patterns = [
        last,
        `${last}${last}`,
        '\u{1}',
        'σ',
        'ς',
        'ΟΔΟΣ',
        'i',
        'ß',
        'ss',
        '%_',
        '\\',
        'ab',
        'b',
        'end',
        '\u{1F600}',
        ' ',
      ];
      const texts = values.filter((value) => value !== null);
      for (const operation of ['contains', 'not_contains', 'starts_with', 'ends_with']) {
        for (const value of patterns) answers.push(await identities({ field: 'TIER', operation, value }));
      }
      for (const operation of ['equals', 'not_equals']) {
        for (const value of texts) answers.push(await identities({ field: 'TIER', operation, value }));
        answers.push(await identities({ field: 'TIER', operation, value: texts }));
      }
      for (const operation of ['is_null', 'is_not_null']) answers.push(await identities({ field: 'TIER', operation }));
      for (const direction of ['asc', 'desc']) answers.push(await sorted('TIER', direction));
      return answers;
    };
    const expected = await found();
    await createIndexes(service.context, account, tier);
    expect(await found()).toEqual(expected);
  });

  test('an attribute can be indexed after texts of the maximum length were stored', async () => {
    await store('TIER', longestTexts);
    await createIndexes(service.context, account, tier);
    expect(await statusOf(account, tier)).toBe('ready');
  });
});

describe('a change of the data type of an indexed attribute', () => {
  test('a change from number to text builds other indexes, and contacts can be written meanwhile', async () => {
    await store('AGE', [30, 4, null, 1e21, 100]);
    await createIndexes(service.context, account, age);
    expect(await sorted('AGE')).toEqual([4, 30, 100, 1e21, null]);
    await update({ name: 'AGE', data_type: 'text' });
    // The index for numbers still exists, and the last contact still has its number.
    await store('AGE', longestTexts);
    expect(await statusOf(account, age)).toBe('building');
    expect(await sorted('AGE')).toEqual(['100', longestTexts[2], longestTexts[3], longestTexts[1], longestTexts[0]]);
    await buildIndexes(service.context);
    expect(await statusOf(account, age)).toBe('ready');
    expect(await catalogue(service.context)).toEqual(textIndexes);
    expect(await slotsOf(service.context, account)).toEqual([
      `number_1: ${age} number released`,
      `text_1: ${age} text filled`,
    ]);
  });

  test('after a change from number to text, values still stored as numbers are indexed too', async () => {
    await store('AGE', [30, 4, null, 1e21, 100]);
    await createIndexes(service.context, account, age);
    await update({ name: 'AGE', data_type: 'text' });
    await buildIndexes(service.context);
    expect(await statusOf(account, age)).toBe('ready');
    const order = ['100', '1000000000000000000000', '30', '4', null];
    expect(await sorted('AGE')).toEqual(order);
    await sweepContacts(service.context, new AbortController().signal);
    expect(await sorted('AGE')).toEqual(order);
  });

  test('a change from date to text gets a slot for texts', async () => {
    await store('SINCE', ['2024-02-29', null, '2023-01-01']);
    await createIndexes(service.context, account, since);
    expect(await catalogue(service.context)).toEqual(['contacts_number_1']);
    expect(await sorted('SINCE', 'desc')).toEqual(['2024-02-29', '2023-01-01', null]);
    await update({ name: 'SINCE', data_type: 'text' });
    await store('SINCE', [...longestTexts, 'b']);
    expect(await statusOf(account, since)).toBe('building');
    await buildIndexes(service.context);
    expect(await catalogue(service.context)).toEqual(textIndexes);
    expect((await sorted('SINCE'))[0]).toBe('b');
  });

  test('a change to long_text drops the index', async () => {
    await createIndexes(service.context, account, tier);
    await update({ name: 'TIER', data_type: 'long_text' });
    await store('TIER', ['x'.repeat(60_000)]);
    expect((await account.operator('GET', `/attributes/${tier}`)).body).toMatchObject({
      indexed: false,
      index_status: 'none',
    });
    await buildIndexes(service.context);
    expect(await catalogue(service.context)).toEqual([]);
  });
});

test('a renamed attribute keeps its index', async () => {
  await createIndexes(service.context, account, age);
  const before = await catalogue(service.context);
  await update({ name: 'AGE', new_name: 'YEARS' });
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual(before);
  expect(await statusOf(account, age)).toBe('ready');
});

test('a deleted attribute loses its index, and a new attribute of the same name has none', async () => {
  await store('AGE', [1, 2, 3]);
  await createIndexes(service.context, account, age);
  await account.apply('/client/attribute/delete', { data: ['AGE'] });
  await account.createAttributes([{ name: 'AGE', data_type: 'text' }]);
  await store('AGE', longestTexts);
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual([]);
  expect((await account.operator('GET', '/attributes/14')).body).toMatchObject({ name: 'AGE', indexed: false });
});
