import { beforeAll, expect, test } from 'vitest';
import { usualTables } from '#features/contacts/model/batch-tables.ts';
import { loadContacts } from '#features/contacts/batch/load.ts';
import { Lookups } from '#features/contacts/model/lookups.ts';
import { BatchTooLarge } from '#pipeline/operations/batch-model.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const account = await service.createAccount({ name: 'Large', settings: { auto_create_attributes: true } });

const count = 40;
const identities = Array.from({ length: count }, (_, n) => `large${n}@example.com`);

/**
 * Creates 40 contacts of nearly 1 MB each, 12 at a time. Together they are more than a batch may
 * load.
 */
beforeAll(async () => {
  const texts = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`TEXT_${n}`, 'x'.repeat(65_000)]));
  for (let from = 0; from < count; from += 12) {
    const contacts = identities.slice(from, from + 12).map((identity) => ({ identity, attributes: texts }));
    await account.createContacts(contacts);
  }
});

const load = (wanted: readonly string[]) => {
  const lookups = new Lookups();
  for (const identity of wanted) lookups.key.add(identity);
  return loadContacts(service.context.pool, account.accountId, lookups, {
    items: wanted.length,
    tables: usualTables(),
  });
};

test('a batch refuses to load contacts with too many characters in total', async () => {
  await expect(load(identities)).rejects.toThrow(BatchTooLarge);
  expect((await load(identities.slice(0, 10))).all).toHaveLength(10);
  // The connection still works after the refusal.
  expect((await load(identities.slice(0, 1))).all).toHaveLength(1);
});

test('a request whose contacts are too large to load together is applied in parts and in order, with one result', async () => {
  const contacts = identities.map((identity, n) => ({ identity, attributes: { CITY: `City ${n}` } }));
  const request = await account.updateContacts([
    ...contacts,
    { identity: identities[0], attributes: { CITY: 'last' } },
    { identity: 'x@example.com', email: 'y@example.com' },
  ]);
  expect(request.counts).toMatchObject({ updated: count + 1, failed: 1 });
  expect(request.failures).toMatchObject([{ index: count + 1, code: 'contact_not_found' }]);
  const rows = await account.rows({
    output: { fields: ['CITY'], sorting: [{ field: 'contact_id', direction: 'asc' }], pagination: { limit: 100 } },
  });
  expect(rows.map((row) => row['CITY'])).toEqual([
    'last',
    ...contacts.slice(1).map(({ attributes }) => attributes.CITY),
  ]);
});

test('requests whose contacts are too large together are applied in parts', async () => {
  await Promise.all(
    identities.map((identity) =>
      account.v5('/contact/update', { data: { contacts: [{ identity, attributes: { STATE: 'x' } }] } }),
    ),
  );
  await service.settled();
  const { body } = await account.v5('/contact/search', {
    filtering_criteria: [{ condition_details: [{ field: 'STATE', operation: 'equals', value: 'x' }] }],
    output: { get_count: true },
  });
  expect(body.count).toBe(count);
});
