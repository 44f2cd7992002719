import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onSingleServerOnly } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const account = await service.createAccount();

const create = (contacts: object[]) => account.createContacts(contacts);
const unknownAttributes = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`UNKNOWN_${n}`, 'x']));

test('the first 100 warnings of a contact are stored, and all are counted', async () => {
  const lists = Array.from({ length: 1000 }, () => ({ audience_id: Array.from({ length: 100 }, () => 99) }));
  const request = await create([
    { identity: 'a@example.com', attributes: unknownAttributes(70), audience_details: lists },
  ]);
  // Each of the 1,000 places that name unknown lists gives one warning, for any number of lists.
  expect(request.counts).toMatchObject({ created: 1, failed: 0, warnings: 1070 });
  expect(request.failures).toHaveLength(100);
  expect(request.failures[69]).toMatchObject({ code: 'attribute_unknown', field: 'attributes.UNKNOWN_69' });
  expect(request.failures[99]).toMatchObject({ code: 'list_unknown', field: 'audience_details[29].audience_id' });
});

test('the first 1,000 warnings and all failures of a request are stored', async () => {
  const failing = { identity: 'fails@example.com', email: 'other@example.com' };
  const many = Array.from({ length: 21 }, (_, n) => ({
    identity: `${n}@example.com`,
    attributes: unknownAttributes(60),
  }));
  const request = await create([...many, failing, many[0]!, failing]);
  expect(request.counts).toMatchObject({ created: 21, unchanged: 1, failed: 2, warnings: 22 * 60 });
  const { body } = await account.operator(
    'GET',
    `/requests/${request.request_id}?failures_cursor=${request.failures_next_cursor}`,
  );
  const failures: { index: number; warning: boolean }[] = [...request.failures, ...body.failures];
  expect(failures.filter(({ warning }) => warning)).toHaveLength(1000);
  expect(failures.filter(({ warning }) => !warning)).toMatchObject([{ index: 21 }, { index: 23 }]);
});

test('a contact that names a list many times joins and leaves it once', async () => {
  const list = await account.createList('Often');
  const often = Array.from({ length: 1000 }, () => list);
  await create([{ identity: 'often@example.com', audience_details: [{ audience_id: often }] }]);
  const members = async () => (await account.operator('GET', `/lists/${list}`)).body.member_count as number;
  expect(await members()).toBe(1);
  const request = await account.updateContacts([
    {
      identity: 'often@example.com',
      audience_details: [
        { audience_id: often, action: 'remove' },
        { audience_id: often },
        { audience_id: [list], action: 'remove' },
      ],
    },
  ]);
  expect(request.counts).toMatchObject({ updated: 1, warnings: 0 });
  expect(await members()).toBe(0);
});

onSingleServerOnly('a cluster keeps other plans')(
  'requests are applied although a migration changes a type that a kept statement returns',
  async () => {
    // More at the same time than the worker has connections, so that each keeps its statements.
    const createInNewAccounts = () =>
      Promise.all(
        Array.from({ length: 12 }, async () => {
          const own = await service.createAccount();
          const data = { contact_type: 'identified', contacts: [{ identity: 'a@example.com' }] };
          const { body } = await own.v5('/contact/create', { data });
          return () => own.operator('GET', `/requests/${body.request_id}`);
        }),
      );
    for (let round = 0; round < 3; round++) await createInNewAccounts();
    await service.settled();
    await sql`alter table accounts alter column time_zone type varchar(100)`.execute(service.context.db);
    const finds = await createInNewAccounts();
    await service.settled();
    const found = await Promise.all(finds.map((find) => find()));
    expect(found.map(({ body }) => body.counts.created)).toEqual(found.map(() => 1));
  },
);
