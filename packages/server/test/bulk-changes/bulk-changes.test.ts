import { expect, test } from 'vitest';
import { attributeAccount } from '../attributes/attribute-account.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { changed, count, created, ended, failuresOf, fill, where } from './support.ts';

const service = await forFile(startTestService());
await forFile(service.startJobs());

async function account(contacts: number, fields: object = { attributes: { CITY: 'Pune' } }): Promise<TestAccount> {
  const made = await service.createAccount();
  await fill(made, 0, contacts, fields);
  return made;
}

async function ids(of: TestAccount): Promise<number[]> {
  const rows = await of.rows({ output: { fields: ['contact_id'], pagination: { limit: 1000 } } });
  return rows.map((row) => row['contact_id'] as number).sort((a, b) => a - b);
}

const inPune = where('CITY', 'equals', 'Pune');

test('a bulk change adds every match to a list, also if the contacts then match no longer', async () => {
  const own = await account(2500);
  const list = await own.createList('News');
  const outside = where('list_id', 'not_equals', list);
  const result = await changed(own, {
    ...outside,
    action: { type: 'add_to_list', audience_id: list },
    expected_count: 2500,
  });
  expect(result).toMatchObject({
    status: 'completed',
    author: 'operator',
    action: { type: 'add_to_list', audience_id: list },
    selection: { by: 'filter', filtering_criteria_operator: 'and' },
    progress: { total: 2500, done: 2500, percent: 100, seconds_left: 0 },
    counts: { changed: 2500, unchanged: 0, failed: 0, warnings: 0 },
    failure: null,
  });
  expect(await count(own, outside)).toBe(0);
  expect((await own.operator('GET', `/lists/${list}`)).body.member_count).toBe(2500);
  // A second bulk change of all contacts changes nothing more.
  const again = await changed(own, {
    all_contacts: true,
    action: { type: 'add_to_list', audience_id: list },
    expected_count: 2500,
  });
  expect(again).toMatchObject({ counts: { changed: 0, unchanged: 2500 }, selection: { by: 'all' } });
  const removed = await changed(own, {
    audience_type: 'list',
    audience_id: [list],
    action: { type: 'remove_from_list', audience_id: list },
    expected_count: 2500,
  });
  expect(removed.counts).toEqual({ changed: 2500, unchanged: 0, failed: 0, warnings: 0 });
  expect(removed.selection).toEqual({ by: 'filter', audience_type: 'list', audience_id: [list] });
  expect((await own.operator('GET', `/lists/${list}`)).body.member_count).toBe(0);
});

test('a bulk change sets and clears an attribute', async () => {
  const own = await account(3);
  await fill(own, 3, 5, { attributes: { CITY: 'Cairo' } });
  const set = await changed(own, {
    ...inPune,
    action: { type: 'set_attribute', attribute: 'first_name', value: 'Asha' },
    expected_count: 3,
  });
  expect(set).toMatchObject({
    counts: { changed: 3 },
    action: { type: 'set_attribute', attribute: 'FIRST_NAME', value: 'Asha' },
  });
  expect(await count(own, where('FIRST_NAME', 'equals', 'Asha'))).toBe(3);
  await changed(own, {
    ...where('FIRST_NAME', 'equals', 'Asha'),
    action: { type: 'set_attribute', attribute: 'FIRST_NAME', value: null },
    expected_count: 3,
  });
  expect(await count(own, where('FIRST_NAME', 'is_not_null'))).toBe(0);
});

test('a bulk change opts contacts out of channels and in again', async () => {
  const own = await account(2);
  const action = { type: 'opt_out', channels: ['email', 'sms'] };
  const out = await changed(own, { all_contacts: true, action, expected_count: 2 });
  expect(out.counts.changed).toBe(2);
  expect(await count(own, where('contact_type', 'equals', 'blacklisted'))).toBe(2);
  await changed(own, { all_contacts: true, action: { ...action, type: 'opt_in' }, expected_count: 2 });
  expect(await count(own, where('contact_type', 'equals', 'blacklisted'))).toBe(0);
});

test('a bulk change deletes named contacts, counts a repeated number once, and lists the unknown ones', async () => {
  const own = await account(3);
  const other = await account(2);
  const [first, second] = await ids(own);
  const unknown = 999_999;
  const [foreign] = (await ids(other)).slice(-1);
  const named = [...new Set([second!, first!, unknown, foreign! + 500_000])];
  const result = await changed(own, {
    contact_ids: [...named, first],
    action: { type: 'delete' },
    expected_count: named.length,
  });
  expect(result).toMatchObject({
    status: 'completed',
    selection: { by: 'contact_ids' },
    counts: { changed: 2, failed: named.length - 2 },
  });
  const failures = await failuresOf(own, result.bulk_change_id, 1);
  expect(failures).toEqual(
    [unknown, foreign! + 500_000]
      .sort((a, b) => a - b)
      .map((contact_id) => ({
        contact_id,
        code: 'contact_not_found',
        field: 'contact_id',
        message: expect.any(String) as string,
        warning: false,
      })),
  );
  expect(await count(own, {})).toBe(1);
  expect(await count(other, {})).toBe(2);
});

test('a bulk change erases people, whose erasures have its author, and keeps no filter that names them', async () => {
  const own = await account(120);
  const result = await changed(own, { ...inPune, action: { type: 'erase' }, expected_count: 120 });
  expect(result).toMatchObject({ status: 'completed', counts: { changed: 120 }, selection: { by: 'filter' } });
  expect(result.selection).toEqual({ by: 'filter' });
  expect(await count(own, {})).toBe(0);
  expect((await own.operator('GET', '/forgotten')).body.people).toBe(120);
  const log = (await own.operator('GET', '/audit-log?limit=500')).body.data as { action: string; actor: string }[];
  const erased = log.filter(({ action }) => action === 'contact.erase');
  expect(erased).toHaveLength(120);
  expect(new Set(erased.map(({ actor }) => actor))).toEqual(new Set(['operator']));
  expect(log.filter(({ action }) => action.startsWith('bulk-change.'))).toMatchObject([
    { action: 'bulk-change.complete', actor: 'system' },
    { action: 'bulk-change.create', actor: 'operator', details: { action: 'erase', expected_count: 120 } },
  ]);
});

test('a bulk change is refused when the number of contacts is not the confirmed one', async () => {
  const own = await account(250);
  const list = await own.createList('News');
  const send = (type: string, expected_count: number) =>
    own.operator('POST', '/bulk-changes', {
      ...inPune,
      action: type === 'add_to_list' ? { type, audience_id: list } : { type },
      expected_count,
    });
  const refused = await send('delete', 249);
  expect(refused.status).toBe(409);
  expect(refused.body.description).toBe(
    '250 contacts match now, but 249 were expected. Nothing was changed. Confirm the new number.',
  );
  expect((await send('erase', 251)).status).toBe(409);
  expect((await send('add_to_list', 247)).status).toBe(409);
  expect((await send('add_to_list', 248)).status).toBe(201);
});

test('the number is compared again when the contacts are chosen, and then nothing is changed', async () => {
  await using quiet = await startTestService();
  const own = await quiet.createAccount();
  await fill(own, 0, 2, { attributes: { CITY: 'Pune' } });
  const { bulk_change_id: id } = await created(own, { ...inPune, action: { type: 'delete' }, expected_count: 2 });
  await fill(own, 2, 3, { attributes: { CITY: 'Pune' } });
  await using _jobs = quiet.startJobs();
  expect(await ended(own, id)).toMatchObject({
    status: 'failed',
    failure: { code: 'count_changed' },
    progress: { total: null },
  });
  expect(await count(own, {})).toBe(3);
});

test('a bulk change without contacts completes at once', async () => {
  const own = await account(1);
  const result = await changed(own, {
    ...where('CITY', 'equals', 'Nowhere'),
    action: { type: 'delete' },
    expected_count: 0,
  });
  expect(result).toMatchObject({ status: 'completed', progress: { total: 0, done: 0, percent: 100 } });
  expect(await failuresOf(own, result.bulk_change_id)).toEqual([]);
});

test.each([
  ['nothing names the contacts', { action: { type: 'delete' }, expected_count: 1 }, 'all_contacts'],
  [
    'contact_ids come with a filter',
    { ...inPune, contact_ids: [1], action: { type: 'delete' }, expected_count: 1 },
    'contact_ids',
  ],
  [
    'all_contacts comes with a filter',
    { ...inPune, all_contacts: true, action: { type: 'delete' }, expected_count: 1 },
    'all_contacts',
  ],
  [
    'the list is unknown',
    { ...inPune, action: { type: 'add_to_list', audience_id: 99 }, expected_count: 1 },
    'action.audience_id',
  ],
  ['the list is missing', { ...inPune, action: { type: 'add_to_list' }, expected_count: 1 }, 'action.audience_id'],
  [
    'the attribute is unknown',
    { ...inPune, action: { type: 'set_attribute', attribute: 'NOPE', value: 1 }, expected_count: 1 },
    'action.attribute',
  ],
  [
    'the attribute identifies contacts',
    { ...inPune, action: { type: 'set_attribute', attribute: 'EMAIL', value: 'a@example.com' }, expected_count: 1 },
    'action.attribute',
  ],
  [
    'the value does not fit',
    { ...inPune, action: { type: 'set_attribute', attribute: 'BIRTH_DATE', value: 'old' }, expected_count: 1 },
    'action.value',
  ],
  [
    'a field belongs to another action',
    { ...inPune, action: { type: 'delete', channels: ['email'] }, expected_count: 1 },
    'action.channels',
  ],
  [
    'the field of the filter is unknown',
    { ...where('NOPE', 'equals', 1), action: { type: 'delete' }, expected_count: 1 },
    'filtering_criteria[0].condition_details[0].field',
  ],
  ['the number is missing', { ...inPune, action: { type: 'delete' } }, 'expected_count'],
  ['the action is missing', { ...inPune, expected_count: 1 }, 'action'],
])('a bulk change is refused when %s', async (_reason, body, field) => {
  const own = service.first;
  await own.operator('POST', '/lists', { name: 'Any' });
  const { status, body: answer } = await own.operator('POST', '/bulk-changes', body);
  expect(status).toBe(400);
  expect(answer.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
});

test('an attribute in use by an unfinished bulk change cannot be renamed or deleted', async () => {
  await using quiet = await startTestService();
  const own = await attributeAccount(quiet);
  await own.create({ name: 'TIER', data_type: 'text' });
  await fill(own, 0, 1);
  const change = await created(own, {
    all_contacts: true,
    action: { type: 'set_attribute', attribute: 'TIER', value: 'gold' },
    expected_count: 1,
  });
  const use = `bulk change ${change.bulk_change_id} (set_attribute)`;
  const renamed = await own.update({ name: 'TIER', new_name: 'LEVEL' });
  expect(JSON.stringify(renamed.body)).toContain(use);
  const deleted = await own.v5('/client/attribute/delete', { data: [{ name: 'TIER' }] });
  expect(JSON.stringify(deleted.body)).toContain(use);
});

test('another account sees nothing of a bulk change', async () => {
  const own = await account(1);
  const other = await account(1);
  const { bulk_change_id: id } = await changed(own, {
    all_contacts: true,
    action: { type: 'delete' },
    expected_count: 1,
  });
  expect((await other.operator('GET', `/bulk-changes/${id}`)).status).toBe(404);
  expect((await other.operator('GET', `/bulk-changes/${id}/failures`)).status).toBe(404);
  expect((await other.operator('POST', `/bulk-changes/${id}/cancel`)).status).toBe(404);
  expect((await other.operator('GET', '/bulk-changes')).body.data).toEqual([]);
  expect(await count(other, {})).toBe(1);
});
