import { expect, test } from 'vitest';
import { buildIndexes } from '../attribute-indexes/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const names = ['Αλέξανδρος', 'ΝΊΚΟΣ', 'Νίκος', 'Σοφία', 'Ωσεί_', 'Maria'];

const service = await forFile(startTestService());
const account = service.first;
const contacts = names.map((name, at) => ({ identity: `p${at}@example.com`, attributes: { FIRST_NAME: name } }));
await account.createContacts(contacts);

async function search(operation: string, ...value: string[]): Promise<string[]> {
  const rows = await account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'FIRST_NAME', operation, value }] }],
    output: { fields: ['FIRST_NAME'], sorting: [{ field: 'contact_id', direction: 'asc' }] },
  });
  return rows.map((row) => String(row['FIRST_NAME']));
}

/** The capital Σ has two small forms, of which a word has one at its end. */
async function checkAll(): Promise<void> {
  expect(await search('contains', 'ΑΛΈΞΑΝΔΡΟΣ')).toEqual(['Αλέξανδρος']);
  expect(await search('not_contains', 'ΑΛΈΞΑΝΔΡΟΣ')).toEqual(names.slice(1));
  expect(await search('contains', 'ος')).toEqual(['Αλέξανδρος', 'ΝΊΚΟΣ', 'Νίκος']);
  expect(await search('contains', 'οσ')).toEqual(['Αλέξανδρος', 'ΝΊΚΟΣ', 'Νίκος']);
  for (const form of ['νίκος', 'ΝΊΚΟΣ', 'νίκοσ']) {
    expect(await search('starts_with', form)).toEqual(['ΝΊΚΟΣ', 'Νίκος']);
    expect(await search('ends_with', form)).toEqual(['ΝΊΚΟΣ', 'Νίκος']);
    expect(await search('equals_ignore_case', form)).toEqual(['ΝΊΚΟΣ', 'Νίκος']);
    const many = Array.from({ length: 20 }, (_, at) => (at === 7 ? form : `x${at}`));
    expect(await search('equals_ignore_case', ...many)).toEqual(['ΝΊΚΟΣ', 'Νίκος']);
    expect(await search('not_equals_ignore_case', form)).toEqual(['Αλέξανδρος', 'Σοφία', 'Ωσεί_', 'Maria']);
  }
  expect(await search('starts_with', 'σοφ')).toEqual(['Σοφία']);
  // A sigma is only a sigma, and `_` is an ordinary character.
  expect(await search('contains', 'Ωσεί_')).toEqual(['Ωσεί_']);
  expect(await search('contains', 'Νίκος_')).toEqual([]);
  expect(await search('contains', 'σοφια')).toEqual([]);
  expect(await search('equals', 'Νίκοσ')).toEqual([]);
}

test('Greek words match in any letter case, with and without an index', async () => {
  await checkAll();
  const { body } = await account.operator('GET', '/attributes?limit=500');
  const { id } = body.data.find(({ name }: { name: string }) => name === 'FIRST_NAME');
  expect(await account.operator('PATCH', `/attributes/${id}`, { indexed: true })).toMatchObject({ status: 200 });
  await buildIndexes(service.context);
  await checkAll();
});
