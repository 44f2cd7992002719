import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { createContacts, keepsAll, record, recorded } from '../activities/support.ts';
import { erased } from '../erasures/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';

let account: TestAccount;
let now = Date.parse('2026-03-15T12:00:00Z');
const service = await forFile(startTestService({ now: () => new Date(now) }));
beforeEach(async () => {
  now = Date.parse('2026-03-15T12:00:00Z');
  account = await service.createAccount({ name: 'Activity conditions', settings: keepsAll });
});

const day = 86_400_000;
const daysAgo = (days: number): string => new Date(now - days * day).toISOString();
const opened = { field: 'activity', operation: 'at_least', value: 1, activity: 'open' };
const inLast = (value: string) => ({ when: { operation: 'in_last', value } });
const filterOf = (...conditions: object[]) => ({ filtering_criteria: [{ condition_details: conditions }] });

/** The names of the contacts that match conditions, in the order of the alphabet. */
async function matching(conditions: object[], of = account): Promise<string> {
  const rows = await of.rows({
    ...filterOf(...conditions),
    output: { fields: ['EMAIL'], sorting: [{ field: 'EMAIL' }], get_count: true },
  });
  return rows.map((row) => String(row['EMAIL']).replace(/@.*/, '')).join(' ');
}

const activity = (name: string, kind: string, days: number, parts: object = {}) =>
  record({ identity: `${name}@example.com`, activity: kind, occurred_at: daysAgo(days), ...parts });

async function idOf(name: string): Promise<number> {
  const condition = { field: 'identity', operation: 'equals', value: `${name}@example.com` };
  const [row] = await account.rows({ ...filterOf(condition), output: { fields: ['contact_id'] } });
  return row!['contact_id'] as number;
}

/** Sends a request to the operator API with an API key that has these scopes. */
async function keyWith(...scopes: string[]) {
  const { body } = await account.operator('POST', '/api-keys', { name: scopes.join(), scopes });
  const headers = { 'api-key': body.api_key };
  return {
    v5: (path: string, given: object): Promise<Answer> => account.v5(path, given, headers),
    operator: (method: string, path: string, given?: object): Promise<Answer> =>
      service.call(method, `/admin/v1/accounts/${account.accountId}${path}`, { body: given, headers }),
  };
}

describe('a search by activities', () => {
  test('finds who opened in the last 30 days and clicked nothing in 90', async () => {
    await createContacts(account, 'a@example.com', 'b@example.com', 'c@example.com', 'd@example.com');
    await recorded(service, account, [
      activity('a', 'open', 5),
      activity('a', 'click', 100),
      activity('b', 'open', 29),
      activity('b', 'click', 80),
      activity('c', 'open', 40),
      activity('d', 'open', 1, { channel: 'sms' }),
    ]);
    const never = { field: 'activity', operation: 'never', activity: 'click', ...inLast('90 days') };
    expect(await matching([{ ...opened, ...inLast('30 days') }, never])).toBe('a d');
    expect(await matching([{ ...opened, channel: ['email'], ...inLast('30 days') }, never])).toBe('a');
    expect(await matching([never])).toBe('a c d');
    // Every day, the same filter finds other contacts.
    now += 26 * day;
    expect(await matching([{ ...opened, ...inLast('30 days') }, never])).toBe('d');
  });

  test('counts an activity of the first moment of a day in the time zone of the account', async () => {
    await account.operator('PATCH', '', { time_zone: 'Asia/Kolkata' });
    await createContacts(account, 'a@example.com', 'b@example.com');
    await recorded(service, account, [
      activity('a', 'open', 0, { occurred_at: '2026-03-13T18:30:00Z' }),
      activity('b', 'open', 0, { occurred_at: '2026-03-13T18:29:59.999Z' }),
    ]);
    const yesterday = { when: { operation: 'equals', value: ['yesterday'] } };
    expect(await matching([{ ...opened, ...yesterday }])).toBe('a');
    expect(await matching([{ ...opened, ...inLast('1 day') }])).toBe('a');
    expect(await matching([{ ...opened, when: { operation: 'less_than', value: 'yesterday' } }])).toBe('b');
  });

  test('finds activities that were recorded before their contact was created', async () => {
    await recorded(service, account, [activity('late', 'open', 2), activity('nobody', 'open', 2)]);
    expect(await matching([opened])).toBe('');
    await createContacts(account, 'late@example.com');
    expect(await matching([opened])).toBe('late');
  });

  test('finds messages by their numbers, by the names of their records, and by their latest names', async () => {
    await createContacts(account, 'a@example.com', 'b@example.com', 'c@example.com');
    await recorded(service, account, [activity('a', 'open', 3, { message_id: 7, msg_name: 'Winter' })]);
    await recorded(service, account, [activity('b', 'open', 2, { message_id: 7, msg_name: 'Winter 2' })]);
    await recorded(service, account, [activity('c', 'open', 1, { msg_name: 'Winter' })]);
    expect(await matching([{ ...opened, message_id: [7, 8] }])).toBe('a b');
    expect(await matching([{ ...opened, message_name: 'Winter' }])).toBe('a c');
    expect(await matching([{ ...opened, message_name: ['Winter 2', 'x'] }])).toBe('a b');
    expect(await matching([{ ...opened, message_name: 'winter' }])).toBe('');
  });

  test('sees only activities of its own account', async () => {
    const other = await service.createAccount({ name: 'Other', settings: keepsAll });
    for (const one of [account, other]) await createContacts(one, 'a@example.com');
    await recorded(service, other, [activity('a', 'open', 1, { message_id: 5, msg_name: 'Spring' })]);
    await recorded(service, account, [activity('a', 'click', 1, { message_id: 5 })]);
    expect(await matching([opened])).toBe('');
    expect(await matching([opened], other)).toBe('a');
    const named = { field: 'activity', operation: 'at_least', value: 1, message_name: 'Spring' };
    expect(await matching([named])).toBe('');
    expect(await matching([{ field: 'activity', operation: 'never' }], other)).toBe('');
  });

  test('follows a contact to its new identity before and after its activities are moved', async () => {
    await createContacts(account, 'a@example.com', 'other@example.com');
    await recorded(service, account, [activity('a', 'open', 1), activity('a', 'open', 2)]);
    await account.updateContacts([{ contact_id: await idOf('a'), identity: 'b@example.com' }]);
    await createContacts(account, 'a@example.com');
    const twice = { ...opened, value: 2 };
    const isMoving = async () => {
      const { rows } = await sql`select 1 from activity_moves where account_id = ${account.accountId}`.execute(
        service.context.db,
      );
      return rows.length > 0;
    };
    expect([await isMoving(), await matching([twice])]).toEqual([true, 'b']);
    expect(await matching([{ ...opened, operation: 'never', value: [] }])).toBe('a other');
    await moveActivities(service.context, new AbortController().signal);
    expect([await isMoving(), await matching([twice])]).toEqual([false, 'b']);
  });

  test('does not count the activities of a deleted or erased contact for a new one', async () => {
    await createContacts(account, 'a@example.com', 'b@example.com');
    await recorded(service, account, [activity('a', 'open', 1), activity('b', 'open', 1)]);
    await account.apply('/contact/delete', { data: { contacts: [{ identity: 'a@example.com' }] } });
    await erased(account, await idOf('b'));
    await service.settled();
    await createContacts(account, 'a@example.com');
    expect(await matching([opened])).toBe('');
    await recorded(service, account, [activity('a', 'open', 1)]);
    expect(await matching([opened])).toBe('a');
  });

  test('does not count activities that the account no longer keeps, even before they are deleted', async () => {
    await createContacts(account, 'a@example.com', 'b@example.com');
    await recorded(service, account, [
      activity('a', 'open', 0, { occurred_at: '2026-01-31T23:59:59Z' }),
      activity('b', 'open', 0, { occurred_at: '2026-02-01T00:00:00Z' }),
    ]);
    expect(await matching([opened])).toBe('a b');
    await account.operator('PATCH', '', { settings: { activity_retention_months: 1 } });
    expect(await matching([opened])).toBe('b');
    await applyRetention(service.context, new AbortController().signal);
    expect(await matching([opened])).toBe('b');
  });

  test('finds the same in an account with several buckets', async () => {
    await account.operator('PATCH', '', { settings: { buckets: 16 } });
    const names = Array.from({ length: 20 }, (_, at) => `p${String(at).padStart(2, '0')}`);
    await createContacts(account, ...names.map((name) => `${name}@example.com`));
    await recorded(
      service,
      account,
      names.flatMap((name, at) => Array.from({ length: at % 4 }, () => activity(name, 'open', 1))),
    );
    const withCount = (count: number) => names.filter((_, at) => at % 4 === count).join(' ');
    for (const count of [0, 1, 2, 3]) {
      expect(await matching([{ ...opened, operation: 'exactly', value: count }])).toBe(withCount(count));
    }
  });

  test('means an attribute with the name ACTIVITY if there is one, unless the category says otherwise', async () => {
    await account.v5('/client/attribute/create', { data: [{ name: 'ACTIVITY', data_type: 'text' }] });
    await service.settled();
    await createContacts(account, 'a@example.com', 'b@example.com');
    await account.updateContacts([{ identity: 'b@example.com', attributes: { ACTIVITY: 'sailing' } }]);
    await recorded(service, account, [activity('a', 'open', 1)]);
    expect(await matching([{ field: 'activity', operation: 'equals', value: 'sailing' }])).toBe('b');
    expect(await matching([{ ...opened, field_category: 'activity' }])).toBe('a');
    const refused = await account.v5('/contact/search', filterOf(opened));
    expect(refused.status).toBe(400);
  });
});

describe('a condition on activities is refused', () => {
  const place = 'filtering_criteria[0].condition_details[0]';
  const cases: readonly [condition: object, field: string, code: string][] = [
    [{ field: 'activity', operation: 'at_least' }, 'value', 'wrong_arity'],
    [{ field: 'activity', operation: 'at_least', value: [1, 2] }, 'value', 'wrong_arity'],
    [{ field: 'activity', operation: 'never', value: 1 }, 'value', 'wrong_arity'],
    [{ field: 'activity', operation: 'at_least', value: 0 }, 'value[0]', 'out_of_range'],
    [{ field: 'activity', operation: 'at_most', value: -1 }, 'value[0]', 'out_of_range'],
    [{ field: 'activity', operation: 'exactly', value: 1.5 }, 'value[0]', 'invalid_type'],
    [{ field: 'activity', operation: 'exactly', value: 1_000_001 }, 'value[0]', 'out_of_range'],
    [{ field: 'activity', operation: 'equals', value: 'open' }, 'operation', 'not_supported'],
    [{ field: 'CITY', operation: 'never' }, 'operation', 'not_supported'],
    [{ ...opened, field_category: 'config' }, 'field_category', 'not_supported'],
    [{ field: 'CITY', field_category: 'activity', operation: 'is_null' }, 'field_category', 'not_supported'],
    [{ ...opened, activity: 'read' }, 'activity[0]', 'unknown_value'],
    [{ ...opened, activity: [] }, 'activity', 'too_few_items'],
    [{ ...opened, activity: '' }, 'activity[0]', 'unknown_value'],
    [{ ...opened, activity: null }, 'activity', 'invalid_type'],
    [{ ...opened, channel: ['email', 'fax'] }, 'channel[1]', 'unknown_value'],
    [{ ...opened, channel: null }, 'channel', 'invalid_type'],
    [{ ...opened, message_id: ['x'] }, 'message_id[0]', 'invalid_type'],
    [{ ...opened, message_id: -1 }, 'message_id[0]', 'out_of_range'],
    [{ ...opened, message_name: [''] }, 'message_name[0]', 'required'],
    [{ ...opened, message_id: 1, message_name: 'x' }, 'message_name', 'not_allowed'],
    [{ ...opened, when: null }, 'when', 'invalid_type'],
    [{ ...opened, when: '30 days' }, 'when', 'invalid_type'],
    [{ ...opened, when: {} }, 'when.operation', 'required'],
    [{ ...opened, when: { operation: 'is_null' } }, 'when.operation', 'not_supported'],
    [{ ...opened, when: { operation: 'recently' } }, 'when.operation', 'unknown_value'],
    [{ ...opened, when: { operation: 'in_last' } }, 'when.value', 'wrong_arity'],
    [{ ...opened, when: { operation: 'in_last', value: 'often' } }, 'when.value[0]', 'invalid_format'],
    [{ ...opened, when: { operation: 'between', value: ['2026-01-01', 'x'] } }, 'when.value[1]', 'invalid_format'],
    [{ ...opened, when: { operation: 'equals', value: [] } }, 'when.value', 'wrong_arity'],
    [{ ...opened, when: { operation: 'in_last', value: '1 day', zone: 'UTC' } }, 'when.zone', 'unknown_field'],
    [{ ...opened, kind: 'open' }, 'kind', 'unknown_field'],
    [{ field: 'CITY', operation: 'equals', value: 'x', channel: 'email' }, 'channel', 'not_allowed'],
    [{ field: 'CITY', operation: 'equals', value: 'x', when: { operation: 'in_last' } }, 'when', 'not_allowed'],
  ];
  test.each(cases)('%j, at %s with %s', async (condition, field, code) => {
    const { status, body } = await service.first.v5('/contact/search', filterOf(condition));
    expect(status).toBe(400);
    expect(body.errors.map((one: { code: string; field: string }) => [one.field, one.code])).toEqual([
      [`${place}.${field}`, code],
    ]);
  });

  test('as the 21st of a search, also if segments contain the others', async () => {
    const twenty = Array.from({ length: 20 }, () => opened);
    expect((await account.v5('/contact/search', filterOf(...twenty))).status).toBe(200);
    const made = await account.operator('POST', '/segments', { name: 'Many', ...filterOf(...twenty) });
    const segment = { field: 'segment_id', operation: 'equals', value: made.body.audience_id };
    expect((await account.v5('/contact/search', filterOf(segment))).status).toBe(200);
    const { status, body } = await account.v5('/contact/search', filterOf(segment, opened));
    expect([status, body.errors[0].code, body.errors[0].field]).toEqual([400, 'too_many_items', 'filtering_criteria']);
    expect(body.errors[0].message).toContain('20 conditions on activities');
  });

  test('as a field of the output and of the sorting', async () => {
    const output = { fields: ['activity'], sorting: [{ field: 'activity' }] };
    const { body } = await account.v5('/contact/search', { output });
    expect(body.errors.map((one: { code: string }) => one.code)).toEqual(['unknown_field', 'unknown_field']);
  });
});

describe('without the right to see activities', () => {
  test('a key cannot filter by them, but can use a segment', async () => {
    await createContacts(account, 'a@example.com', 'b@example.com');
    await recorded(service, account, [activity('a', 'open', 1)]);
    const { body: segment } = await account.operator('POST', '/segments', { name: 'Opened', ...filterOf(opened) });
    const key = await keyWith('contacts:read');
    const refused = await key.v5('/contact/search', filterOf(opened));
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.body)).toContain('activity:read');
    const inSegment = { field: 'segment_id', operation: 'equals', value: segment.audience_id };
    const found = await key.v5('/contact/search', { ...filterOf(inSegment), output: { fields: ['EMAIL'] } });
    expect(found.body.data).toEqual([{ EMAIL: 'a@example.com' }]);
    const reader = await keyWith('contacts:read', 'activity:read');
    expect((await reader.v5('/contact/search', filterOf(opened))).status).toBe(200);
  });

  test('a key cannot make segments, exports, previews or bulk changes with them', async () => {
    const key = await keyWith(
      'contacts:read',
      'contacts:write',
      'segments:write',
      'segments:read',
      'export',
      'lists:write',
    );
    const requests: readonly [path: string, body: object, place: string][] = [
      ['/segments', { name: 'Opened', ...filterOf(opened) }, ''],
      ['/exports', { filter: filterOf(opened) }, 'filter.'],
      ['/exports/preview', { filter: filterOf(opened) }, 'filter.'],
      [
        '/bulk-changes',
        { action: { type: 'opt_out', channels: ['email'] }, ...filterOf(opened), expected_count: 0 },
        '',
      ],
    ];
    for (const [path, body, place] of requests) {
      const refused = await key.operator('POST', path, body);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(JSON.stringify(refused.body), path).toContain(`${place}filtering_criteria[0].condition_details[0].field`);
    }
  });

  test('a caller does not see the parts of conditions of others', async () => {
    const condition = { ...opened, message_id: [4711], ...inLast('30 days') };
    const { body: made } = await account.operator('POST', '/segments', { name: 'Opened', ...filterOf(condition) });
    const stored = {
      field: 'activity',
      field_category: 'activity',
      operation: 'at_least',
      value: [1],
      activity: ['open'],
      message_id: [4711],
      when: { operation: 'in_last', value: ['30 days'] },
    };
    expect(made.filtering_criteria[0].condition_details).toEqual([stored]);
    expect(made.has_masked_conditions).toBe(false);
    const hidden = { field: 'activity', field_category: 'activity', operation: 'at_least', value: ['****'] };
    const key = await keyWith('segments:read', 'exports:read', 'contacts:read', 'export');
    const { body: seen } = await key.operator('GET', `/segments/${made.audience_id}`);
    expect(seen.filtering_criteria[0].condition_details).toEqual([hidden]);
    expect(seen.has_masked_conditions).toBe(true);

    const { body: exported } = await account.operator('POST', '/exports', { filter: filterOf(condition) });
    const { body: own } = await key.operator('GET', `/exports/${exported.request_id}`);
    expect(own.filter.filtering_criteria[0].condition_details).toEqual([hidden]);

    const timing = { every: 'day', at: '06:30' };
    const schedule = { name: 'Daily', timing, filter: filterOf(condition), attributes: ['EMAIL'] };
    const { body: planned, status } = await account.operator('POST', '/export-schedules', schedule);
    expect(status).toBe(201);
    const shown = (await key.operator('GET', `/export-schedules/${planned.schedule_id}`)).body;
    expect(shown.filter.filtering_criteria[0].condition_details).toEqual([hidden]);

    const change = { action: { type: 'opt_out', channels: ['email'] }, ...filterOf(condition), expected_count: 0 };
    const { body: bulk } = await account.operator('POST', '/bulk-changes', change);
    const view = (await key.operator('GET', `/bulk-changes/${bulk.bulk_change_id}`)).body;
    expect(view.selection.filtering_criteria[0].condition_details).toEqual([hidden]);
  });
});

describe('a stored filter by activities', () => {
  const active = { ...opened, ...inLast('7 days') };
  let segmentId: number;
  beforeEach(async () => {
    await createContacts(account, 'a@example.com', 'b@example.com');
    await recorded(service, account, [activity('a', 'open', 1), activity('b', 'open', 5)]);
    segmentId = (await account.operator('POST', '/segments', { name: 'Active', ...filterOf(active) })).body.audience_id;
  });

  test('of a segment is evaluated when it is used: in counts, nested, in the profile, and negated', async () => {
    const count = async () => (await account.operator('GET', `/segments/${segmentId}/count`)).body.count;
    const nested = (operation: string) => [{ field: 'segment_id', operation, value: segmentId }];
    const profile = async () => (await account.operator('GET', `/contacts/${await idOf('b')}`)).body.segments;
    expect([await count(), await matching(nested('equals')), await matching(nested('not_equals'))]).toEqual([
      2,
      'a b',
      '',
    ]);
    expect(await profile()).toMatchObject([{ name: 'Active' }]);
    now += 4 * day;
    expect([await count(), await matching(nested('equals')), await matching(nested('not_equals'))]).toEqual([
      1,
      'a',
      'b',
    ]);
    expect(await profile()).toEqual([]);
  });

  test('of a segment survives a change of its name and of its operator', async () => {
    const { body } = await account.operator('PATCH', `/segments/${segmentId}`, { filtering_criteria_operator: 'or' });
    expect(body.filtering_criteria[0].condition_details[0]).toMatchObject({
      activity: ['open'],
      when: { value: ['7 days'] },
    });
    const again = { filtering_criteria: body.filtering_criteria };
    const repeated = await account.operator('PATCH', `/segments/${segmentId}`, again);
    expect(repeated.body.filtering_criteria).toEqual(body.filtering_criteria);
  });

  test('chooses the contacts of a preview and of a bulk change', async () => {
    now += 4 * day;
    const preview = await account.operator('POST', '/exports/preview', {
      filter: filterOf(active),
      attributes: ['EMAIL'],
    });
    expect(preview.body.rows).toEqual([['a@example.com']]);
    const action = { type: 'opt_out', channels: ['email'] };
    const wrong = await account.operator('POST', '/bulk-changes', { action, ...filterOf(active), expected_count: 2 });
    expect(wrong.status).toBe(409);
    const { status } = await account.operator('POST', '/bulk-changes', {
      action,
      ...filterOf(active),
      expected_count: 1,
    });
    expect(status).toBe(201);
    await using _jobs = service.startJobs();
    const optedOut = [{ field: 'email_opted_out', operation: 'equals', value: true }];
    await expect.poll(() => matching(optedOut), { timeout: 20_000 }).toBe('a');
  });
});
