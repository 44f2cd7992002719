import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pageCharacters } from '#platform/http/paging/page.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService({ worker: false }));

const condition = (...value: unknown[]) => ({ field: 'CITY', operation: 'equals', value });
const filterOf = (...conditions: object[]) => ({ filtering_criteria: [{ condition_details: conditions }] });
const megabyte = condition(...Array.from({ length: 1000 }, (_, n) => String(n).padEnd(1000, 'x')));
/** A filter of 4 MB. Four of them are as many as an account can have of a kind. */
const large = filterOf(megabyte, megabyte, megabyte, megabyte);
const small = filterOf(condition('Pune'));

test.each([
  ['exports', (filter: object) => ({ filter })],
  [
    'bulk-changes',
    (filter: object) => ({ ...filter, action: { type: 'opt_in', channels: ['email'] }, expected_count: 0 }),
  ],
])('the filters of all %s of an account have a limit together', async (path, bodyOf) => {
  const account = await service.createAccount({ name: 'Large', settings: { events: true } });
  const create = (filter: object) => account.operator('POST', `/${path}`, bodyOf(filter));
  for (let n = 0; n < 4; n++) expect((await create(large)).status).toBeLessThan(300);
  const refused = await create(large);
  expect(refused).toMatchObject({ status: 409, body: { description: expect.stringContaining('16777216 characters') } });
  expect((await create(small)).status).toBeLessThan(300);
});

test.each([
  ['export-schedules', { timing: { every: 'day', at: '06:30' } }],
  ['event-subscriptions', { url: 'https://hooks.example.com/x' }],
])('the filters of all %s keep to this limit when they are created or changed', async (path, more) => {
  const account = await service.createAccount({ name: 'Large', settings: { events: true } });
  const create = (filter: object) => account.operator('POST', `/${path}`, { name: 'x', filter, ...more });
  const created: string[] = [];
  for (const filter of [large, large, large, large, small]) {
    const { status, body } = await create(filter);
    expect(status).toBeLessThan(300);
    created.push(body.schedule_id ?? body.subscription_id);
  }
  expect((await create(large)).status).toBe(409);
  const change = async (at: number, filter: object): Promise<number> =>
    (await account.operator('PATCH', `/${path}/${created[at]}`, { filter })).status;
  expect(await change(4, large)).toBe(409);
  expect(await change(0, small)).toBe(200);
  expect(await change(4, large)).toBe(200);
});

test('a page of imports with long columns ends early, and all pages together have each import once', async () => {
  const account = await service.createAccount();
  const columns = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [String(n).padEnd(1000, 'x'), null]));
  const { status, body } = await account.operator('POST', '/imports', { columns });
  expect(status).toBe(201);
  await sql`
    insert into imports (account_id, import_id, status, given, mode, blank_cells, audience_ids, unknown_columns, dry_run, created_at)
    select account_id, ('00000000-0000-7000-8000-' || lpad(copy::text, 12, '0'))::uuid, status, given, mode, blank_cells,
      audience_ids, unknown_columns, dry_run, created_at
    from imports, generate_series(1, 24) as copy where import_id = ${body.import_id}`.execute(service.context.db);
  for (const limit of [3, 500]) {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await account.operator('GET', `/imports?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      expect(page.body.data.length).toBeGreaterThan(0);
      expect(JSON.stringify(page.body).length).toBeLessThan(pageCharacters + 1_000_000);
      ids.push(...page.body.data.map(({ import_id: id }: { import_id: string }) => id));
      cursor = page.body.next_cursor;
    }
    expect(ids).toHaveLength(25);
    expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
  }
});
