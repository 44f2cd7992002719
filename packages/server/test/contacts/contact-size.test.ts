import { characters } from '@roster/contract';
import { expect, test } from 'vitest';
import { insertAttributes, type NewAttribute } from '#features/registry/attribute-store.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let account: TestAccount;
const service = await forFile(startTestService());

// A contact can hold sixteen texts of the maximum length.
const longest = 65_536;
const identity = 'large@example.com';
const contact = (attributes: object) => ({
  data: { contact_type: 'identified', contacts: [{ identity, attributes }] },
});
const create = (attributes: object) => account.apply('/contact/create', contact(attributes));
const texts = (from: number, to: number, text: string) =>
  Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`TEXT_${from + n}`, text]));
const lengths = async (...fields: string[]) => {
  const [row] = await account.rows({ output: { fields } });
  return fields.map((field) => characters((row![field] ?? '') as string));
};

test('a long text is left out if the contact would have too many characters', async () => {
  account = await service.createAccount({ name: 'Large', settings: { auto_create_attributes: true } });
  // The limit counts characters, not UTF-16 units or bytes.
  const first = await create({ ...texts(1, 16, 'é'.repeat(longest)), ...texts(16, 17, '🙂'.repeat(longest)) });
  expect(first.counts).toMatchObject({ created: 1, warnings: 0 });

  const second = await create({ TEXT_17: 'x'.repeat(1001), CITY: 'Pune' });
  expect(second.counts).toMatchObject({ updated: 1, warnings: 1 });
  expect(second.failures).toMatchObject([{ index: 0, code: 'contact_too_large', field: 'attributes.TEXT_17' }]);
  expect(await lengths('TEXT_16', 'TEXT_17', 'CITY')).toEqual([longest, 0, 4]);
});

test('a text can replace a longer one, or one that the same item clears', async () => {
  const replaced = await create({ TEXT_1: 'y'.repeat(longest - 1000), TEXT_2: 'z'.repeat(longest) });
  expect(replaced.counts).toMatchObject({ updated: 1, warnings: 0 });
  const cleared = await create({ TEXT_3: null, TEXT_17: 'x'.repeat(longest) });
  expect(cleared.counts).toMatchObject({ updated: 1, warnings: 0 });
  expect(await lengths('TEXT_1', 'TEXT_3', 'TEXT_17')).toEqual([longest - 1000, 0, longest]);
});

test('defaults of a new contact get only the room that its own values leave', async () => {
  account = await service.createAccount({ name: 'Defaults', settings: { auto_create_attributes: true } });
  const defaults: NewAttribute[] = [
    { name: 'TERMS', dataType: 'long_text', defaultValue: 't'.repeat(longest) },
    { name: 'LEVEL', dataType: 'text', defaultValue: 'new' },
  ];
  await insertAttributes(service.context.db, account.accountId, defaults, new Date());
  const request = await create(texts(1, 17, 'x'.repeat(longest)));
  expect(request.counts).toMatchObject({ created: 1, warnings: 1 });
  expect(request.failures).toMatchObject([{ code: 'contact_too_large', field: 'attributes.TERMS' }]);
  expect(await lengths('TERMS', 'TEXT_16', 'LEVEL')).toEqual([0, longest, 3]);
});
