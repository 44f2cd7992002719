import { List, pageAnswer } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let account: TestAccount;
let now = new Date('2026-08-01T09:00:00.000Z');
const service = await forFile(startTestService({ worker: false, now: () => now }));
beforeEach(async () => {
  account = await service.createAccount();
});

async function createList(name = 'Newsletter'): Promise<number> {
  const { status, body } = await account.operator('POST', '/lists', { name });
  expect(status).toBe(201);
  return body.audience_id;
}

async function addMembers(audienceId: number, ...identities: string[]): Promise<void> {
  await using _worker = service.startWorker();
  const contacts = identities.map((identity) => ({ identity, audience_details: [{ audience_id: audienceId }] }));
  await account.createContacts(contacts);
}

test('a list can be created, found, listed, renamed and deleted', async () => {
  const created = await account.operator('POST', '/lists', { name: ' Newsletter ' });
  expect(created.status).toBe(201);
  expectShape(List, created.body);
  expect(created.body).toEqual({
    audience_id: 1,
    audience_type: 'list',
    name: 'Newsletter',
    member_count: 0,
    uses: [],
    use_count: 0,
    created_at: '2026-08-01T09:00:00.000Z',
    updated_at: '2026-08-01T09:00:00.000Z',
  });
  expect(await account.operator('GET', '/lists/1')).toMatchObject({ status: 200, body: created.body });
  const listed = await account.operator('GET', '/lists');
  expectShape(pageAnswer('List'), listed.body);
  expect(listed.body).toEqual({ data: [created.body], next_cursor: null });

  now = new Date('2026-08-02T09:00:00.000Z');
  const renamed = await account.operator('PATCH', '/lists/1', { name: 'Offers' });
  expect(renamed.status).toBe(200);
  expect(renamed.body).toEqual({ ...created.body, name: 'Offers', updated_at: '2026-08-02T09:00:00.000Z' });
  expect((await account.operator('PATCH', '/lists/1', { name: 'Offers' })).body).toEqual(renamed.body);

  expect((await account.operator('DELETE', '/lists/1')).status).toBe(204);
  expect((await account.operator('GET', '/lists/1')).status).toBe(404);
  expect((await account.operator('DELETE', '/lists/1')).status).toBe(404);
  expect((await account.operator('PATCH', '/lists/1', { name: 'x' })).status).toBe(404);
  expect((await account.operator('GET', '/lists')).body.data).toEqual([]);

  const audit = (await account.operator('GET', '/audit-log')).body.data.slice(0, 3);
  expect(audit).toEqual([
    expect.objectContaining({ action: 'list.delete', subject: 'list:1', details: { name: 'Offers', member_count: 0 } }),
    expect.objectContaining({
      action: 'list.update',
      subject: 'list:1',
      details: { changes: { name: { from: 'Newsletter', to: 'Offers' } } },
    }),
    expect.objectContaining({ action: 'list.create', subject: 'list:1', details: { name: 'Newsletter' } }),
  ]);
});

test('audience_ids are never reused, even by concurrent requests, and each account counts separately', async () => {
  const other = await service.createAccount();

  const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => createList(`List ${index}`)));
  expect(ids.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await account.operator('DELETE', '/lists/10');
  expect(await createList()).toBe(11);
  const segment = await account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });
  expect(segment.body.audience_id).toBe(12);
  expect(await other.createList('x')).toBe(1);
});

describe('the list operations', () => {
  test('return 404 for a list of another account', async () => {
    const other = await service.createAccount();
    const id = await createList();
    for (let count = 0; count < 3; count++) await account.operator('POST', '/lists', { name: 'x' });

    expect((await other.operator('GET', `/lists/${id}`)).status).toBe(404);
    expect((await other.operator('PATCH', `/lists/${id}`, { name: 'mine' })).status).toBe(404);
    expect((await other.operator('DELETE', `/lists/${id}`)).status).toBe(404);
    expect((await other.operator('GET', '/lists')).body.data).toEqual([]);
    expect((await account.operator('GET', `/lists/${id}`)).body.name).toBe('Newsletter');
  });

  test('return 404 for a segment', async () => {
    const { body } = await account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });

    expect((await account.operator('GET', `/lists/${body.audience_id}`)).status).toBe(404);
    expect((await account.operator('PATCH', `/lists/${body.audience_id}`, { name: 'x' })).status).toBe(404);
    expect((await account.operator('DELETE', `/lists/${body.audience_id}`)).status).toBe(404);
    expect((await account.operator('GET', '/lists')).body.data).toEqual([]);
  });
});

describe('a list with members', () => {
  test('has their number in member_count', async () => {
    const id = await createList();
    await addMembers(id, 'asha@example.com', 'ravi@example.com');

    expect((await account.operator('GET', `/lists/${id}`)).body.member_count).toBe(2);
    expect((await account.operator('GET', '/lists')).body.data[0].member_count).toBe(2);
  });

  test('leaves its members as contacts when it is deleted, and a sweep is created for the worker', async () => {
    const [id, kept] = [await createList(), await createList()];
    await addMembers(id, 'asha@example.com');
    await addMembers(kept, 'asha@example.com');

    expect((await account.operator('DELETE', `/lists/${id}`)).status).toBe(204);

    expect(await account.rows({ output: { fields: ['identity', 'list_id'] } })).toEqual([
      { identity: 'asha@example.com', list_id: [kept] },
    ]);
    const sweeps = await service.context.db
      .selectFrom('sweeps')
      .where('account_id', '=', account.accountId)
      .select(['kind', 'target_id'])
      .execute();
    expect(sweeps).toEqual([{ kind: 'list', target_id: id }]);
  });

  test('cannot be deleted while a segment uses it', async () => {
    const id = await createList();
    const using = (name: string) => ({
      name,
      filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [id] }] }],
    });
    const segments = [
      (await account.operator('POST', '/segments', using('A'))).body.audience_id,
      (await account.operator('POST', '/segments', using('B'))).body.audience_id,
    ];

    const refused = await account.operator('DELETE', `/lists/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.description).toBe(
      `The list ${id} is in use by segment ${segments[0]} (A), segment ${segments[1]} (B). Change or delete what uses it first.`,
    );
    expect((await account.operator('GET', `/lists/${id}`)).status).toBe(200);

    await account.operator('DELETE', `/segments/${segments[0]}`);
    await account.operator('PATCH', `/segments/${segments[1]}`, { filtering_criteria: [] });
    expect((await account.operator('DELETE', `/lists/${id}`)).status).toBe(204);
  });
});

test('either the deletion of a list or a concurrent new segment that uses it is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await createList();
    const [deleted, used] = await Promise.all([
      account.operator('DELETE', `/lists/${id}`),
      account.operator('POST', '/segments', {
        name: 'x',
        filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [id] }] }],
      }),
    ]);
    expect([
      [204, 400],
      [409, 201],
    ]).toContainEqual([deleted.status, used.status]);
  }
});
