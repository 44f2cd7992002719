import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));

/** Reads a listing to its end. Calls `between` between the pages. */
async function readAll(path: string, limit: number, between: () => Promise<unknown> = async () => undefined) {
  const rows: Record<string, unknown>[] = [];
  for (let cursor: string | null = null; ;) {
    const query: string = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await service.operator('GET', `${path}?${query}`);
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    rows.push(...body.data);
    if (body.next_cursor === null) return rows;
    expect(body.data).toHaveLength(limit);
    cursor = body.next_cursor;
    await between();
  }
}

test.each([
  ['/accounts', 'account_id', '/accounts', {}],
  ['/accounts/1/api-keys', 'api_key_id', '/accounts/1/api-keys', {}],
  ['/accounts/1/lists', 'audience_id', '/accounts/1/lists', {}],
  ['/accounts/1/segments', 'audience_id', '/accounts/1/segments', { filtering_criteria: [] }],
])('the listing %s returns each item once and in order for every page size', async (path, id, create, body) => {
  for (let count = 0; count < 12; count++) {
    expect((await service.operator('POST', create, { name: `Thing ${count}`, ...body })).status).toBe(201);
  }
  const all = (await readAll(path, 500)).map((row) => Number(row[id]));
  expect(all.length).toBeGreaterThanOrEqual(12);
  expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
  for (const limit of [1, 2, 3, 4, 5, 11, 12, 13, 14]) {
    expect((await readAll(path, limit)).map((row) => Number(row[id]))).toEqual(all);
  }
});

test('a listing repeats and skips no item when items are added and deleted between two pages', async () => {
  const account = await service.createAccount();
  const lists = `/accounts/${account.accountId}/lists`;
  for (let count = 0; count < 20; count++) await service.operator('POST', lists, { name: 'x' });
  let gone = 0;

  const rows = await readAll(lists, 3, async () => {
    // Delete a list that was already returned, and add a list at the end.
    await service.operator('DELETE', `${lists}/${++gone}`);
    if (gone < 4) await service.operator('POST', lists, { name: 'late' });
  });

  expect(rows.map((row) => row['audience_id'])).toEqual(Array.from({ length: 23 }, (_, index) => index + 1));
});

test('the audit log is newest first, and can be read to its end while it grows', async () => {
  const account = await service.createAccount();
  const log = `/accounts/${account.accountId}/audit-log`;
  for (let count = 0; count < 9; count++) await account.operator('POST', '/lists', { name: `List ${count}` });

  const rows = await readAll(log, 4, () => account.operator('POST', '/lists', { name: 'late' }));

  expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
    ...Array.from({ length: 9 }, (_, index) => ['list.create', `list:${9 - index}`]),
    ['api-key.create', expect.stringMatching(/^api-key:\d+$/)],
    ['account.create', `account:${account.accountId}`],
  ]);
  expect(rows.every(({ actor }) => actor === 'operator')).toBe(true);
});

test('a page has 50 rows if the query has no limit', async () => {
  const account = await service.createAccount();
  for (let count = 0; count < 51; count++) await account.operator('POST', '/lists', { name: 'x' });

  const { body } = await account.operator('GET', '/lists');

  expect(body.data).toHaveLength(50);
  expect(body.next_cursor).toEqual(expect.any(String));
});
