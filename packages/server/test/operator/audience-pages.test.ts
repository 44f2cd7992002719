import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { List, pageAnswer, Segment } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let account: TestAccount;
let now = new Date('2026-08-01T09:00:00.000Z');
// A directory of its own, because a test sends a file.
const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-audiences-')));
const service = await forFile(startTestService({ now: () => now, config: { dataDir: directory } }));
beforeEach(async () => {
  now = new Date('2026-08-01T09:00:00.000Z');
  account = await service.createAccount();
});

const names = ['beta', 'Alpha', 'ärger', 'alpha', '100% off', 'Gamma_1', 'gamma-1', '木'];

async function createLists(): Promise<void> {
  for (const name of names) {
    now = new Date(now.getTime() + 1000);
    await account.operator('POST', '/lists', { name });
  }
}

/** Reads a listing to its end, in pages of three. Returns the names. */
async function readNames(address: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body } = await account.operator('GET', `${address}&limit=3&cursor=${cursor}`);
    expect(status).toBe(200);
    found.push(...body.data.map((row: { name: string }) => row.name));
    cursor = body.next_cursor;
  }
  return found;
}

describe('a page of lists', () => {
  test.each([
    ['audience_id', names],
    ['name', ['100% off', 'Alpha', 'alpha', 'beta', 'gamma-1', 'Gamma_1', 'ärger', '木']],
    ['updated_at', [...names].reverse()],
    ['member_count', [...names].reverse()],
  ])('ordered by %s has each list once', async (order, expected) => {
    await createLists();

    expect(await readNames(`/lists?order=${order}`)).toEqual(expected);
  });

  test('ordered by member_count has the largest list first', async () => {
    await createLists();
    const contacts = [
      { identity: 'asha@example.com', audience_details: [{ audience_id: [2, 3] }] },
      { identity: 'ravi@example.com', audience_details: [{ audience_id: [3] }] },
    ];
    await account.createContacts(contacts);

    expect((await readNames('/lists?order=member_count')).slice(0, 3)).toEqual(['ärger', 'Alpha', '木']);
  });

  test.each([
    ['ALPHA', ['Alpha', 'alpha']],
    ['%', ['100% off']],
    ['a_1', ['Gamma_1']],
    ['木', ['木']],
    ['nothing', []],
  ])('that contain %j has only those with this text in their names', async (text, expected) => {
    await createLists();

    expect(await readNames(`/lists?contains=${encodeURIComponent(text)}`)).toEqual(expected);
  });

  test('can be continued after the list at its end was renamed or deleted', async () => {
    await createLists();
    const first = await account.operator('GET', '/lists?order=name&limit=3');
    await account.operator('DELETE', `/lists/${first.body.data[2].audience_id}`);
    await account.operator('PATCH', `/lists/${first.body.data[1].audience_id}`, { name: 'zeta' });

    const second = await account.operator('GET', `/lists?order=name&cursor=${first.body.next_cursor}`);
    expect(second.body.data.map(({ name }: { name: string }) => name)).toEqual([
      'beta',
      'gamma-1',
      'Gamma_1',
      'zeta',
      'ärger',
      '木',
    ]);
  });

  test('can begin after the longest name', async () => {
    for (const letter of ['木', '林']) await account.operator('POST', '/lists', { name: letter.repeat(255) });

    expect(await readNames('/lists?order=name')).toHaveLength(2);
  });

  test.each([
    ['order=size', 'unknown_value'],
    ['contains=%00', 'invalid_character'],
    [`contains=${'x'.repeat(256)}`, 'too_long'],
    [`order=name&cursor=${Buffer.from('[5]').toString('base64url')}`, 'invalid_format'],
    [`order=name&cursor=${Buffer.from(String.raw`["a\u0000b",5]`).toString('base64url')}`, 'invalid_format'],
    [`order=updated_at&cursor=${Buffer.from('[9000000000000000,5]').toString('base64url')}`, 'invalid_format'],
    [`order=member_count&cursor=${Buffer.from('["a",5]').toString('base64url')}`, 'invalid_format'],
  ])('is refused with the query %s', async (query, code) => {
    const { status, body } = await account.operator('GET', `/lists?${query}`);

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ code }]);
  });
});

describe('a page of segments', () => {
  test('has the same orders, but not member_count', async () => {
    for (const name of names) await account.operator('POST', '/segments', { name, filtering_criteria: [] });

    expect(await readNames('/segments?order=name&contains=a')).toEqual([
      'Alpha',
      'alpha',
      'beta',
      'gamma-1',
      'Gamma_1',
    ]);
    expect((await account.operator('GET', '/segments?order=member_count')).status).toBe(400);
  });

  test('shows only segments of its account', async () => {
    const other = await service.createAccount();
    await account.operator('POST', '/segments', { name: 'mine', filtering_criteria: [] });

    expect((await other.operator('GET', '/segments?contains=mine')).body.data).toEqual([]);
  });
});

const using = (field: string, ...ids: number[]) => ({
  name: 'User',
  filtering_criteria: [{ condition_details: [{ field, operation: 'equals', value: ids }] }],
});

describe('the uses of an audience', () => {
  test('name the segments whose filters use it, in all answers', async () => {
    const { body: list } = await account.operator('POST', '/lists', { name: 'Newsletter' });
    const { body: user } = await account.operator('POST', '/segments', using('list_id', list.audience_id));
    const { body: nested } = await account.operator('POST', '/segments', using('segment_id', user.audience_id));
    const useBy = (id: number) => [{ feature: 'segment', id, name: 'User', prevents_deletion: true }];

    const lists = await account.operator('GET', '/lists');
    expectShape(pageAnswer('List'), lists.body);
    expect(lists.body.data[0]).toMatchObject({ uses: useBy(user.audience_id), use_count: 1 });
    const one = await account.operator('GET', `/lists/${list.audience_id}`);
    expectShape(List, one.body);
    expect(one.body.uses).toEqual(useBy(user.audience_id));
    const segments = await account.operator('GET', '/segments');
    expectShape(pageAnswer('Segment'), segments.body);
    expect(segments.body.data.map(({ uses }: Segment) => uses)).toEqual([useBy(nested.audience_id), []]);
    const renamed = await account.operator('PATCH', `/segments/${user.audience_id}`, { name: 'Users' });
    expect(renamed.body).toMatchObject({ uses: useBy(nested.audience_id), use_count: 1 });
    expect((await account.operator('GET', `/segments/${user.audience_id}`)).body.use_count).toBe(1);
  });

  test('are counted completely, and at most twenty are shown', async () => {
    const { body: list } = await account.operator('POST', '/lists', { name: 'Newsletter' });
    for (let count = 0; count < 25; count++) {
      await account.operator('POST', '/segments', using('list_id', list.audience_id));
    }

    const { body } = await account.operator('GET', `/lists/${list.audience_id}`);
    expect(body.uses).toHaveLength(20);
    expect(body.use_count).toBe(25);
    expect((await account.operator('DELETE', `/lists/${list.audience_id}`)).body.description).toContain(' and 15 more');
  });

  test('include unfinished exports and imports, which do not prevent the deletion', async () => {
    const { body: list } = await account.operator('POST', '/lists', { name: 'Newsletter' });
    const id = list.audience_id;
    const accepted = await service.call('POST', '/v4/audience/export', {
      body: { audience_details: { audience_type: 'list', audience_id: id }, callback_details: {} },
      headers: { 'api-key': account.apiKey },
    });
    const created = await account.operator('POST', '/imports', { file_name: 'people.csv', audience_ids: [id] });
    const sent = await service.call(
      'PUT',
      `/admin/v1/accounts/${account.accountId}/imports/${created.body.import_id}/file`,
      {
        body: 'EMAIL\nasha@example.com\n',
        headers: { authorization: `Bearer ${testAdminToken}`, 'content-type': 'text/csv' },
      },
    );
    expect([accepted.status, created.status, sent.status]).toEqual([200, 201, 200]);

    const { body } = await account.operator('GET', `/lists/${id}`);
    expect(body.uses).toEqual([
      {
        feature: 'export',
        id: accepted.body.data.request_id,
        name: '2026-08-01T09:00:00.000Z',
        prevents_deletion: false,
      },
      { feature: 'import', id: created.body.import_id, name: 'people.csv', prevents_deletion: false },
    ]);
    expect((await account.operator('DELETE', `/lists/${id}`)).status).toBe(204);
  });

  test('never come from another account', async () => {
    const other = await service.createAccount();
    for (const one of [account, other]) await one.operator('POST', '/lists', { name: 'First' });
    await other.operator('POST', '/segments', using('list_id', 1));

    expect((await account.operator('GET', '/lists/1')).body).toMatchObject({ uses: [], use_count: 0 });
  });
});
