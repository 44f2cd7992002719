import type { AttributeUse } from '@roster/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { stepSummaries } from '#features/activities/summaries/keep-summaries.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { derivedAccount, expectExact, keep, switchDerived } from './support.ts';

let now = Date.parse('2026-03-28T20:00:00Z');
let account: TestAccount;
const service = await forFile(startTestService({ now: () => new Date(now) }));
beforeEach(() => {
  now = Date.parse('2026-03-28T20:00:00Z');
});

const score = 'activity.engagement_score';
const ago = (days: number) => new Date(now - days * 86_400_000).toISOString();
const where = (field: string, operation: string, value?: unknown) => ({
  filtering_criteria: [{ condition_details: [{ field, operation, ...(value === undefined ? {} : { value }) }] }],
});

async function record(of: TestAccount, name: string, activity: string, days: number, channel = 'email') {
  const data = [{ identity: `${name}@example.com`, channel, activity, occurred_at: ago(days) }];
  expect((await of.operator('POST', '/activities', { data })).status).toBe(200);
  await service.settled();
}

async function createPeople(of: TestAccount, ...names: string[]): Promise<void> {
  await of.createContacts(names.map((name) => ({ identity: `${name}@example.com` })));
}

async function keyWith(of: TestAccount, ...scopes: string[]): Promise<Record<string, string>> {
  const { status, body } = await of.operator('POST', '/api-keys', { name: 'Some', scopes });
  expect(status).toBe(201);
  return { 'api-key': body.api_key };
}

describe('an account with derived attributes', () => {
  beforeEach(async () => {
    account = await derivedAccount(service, { time_zone: 'Europe/Berlin' });
    await createPeople(account, 'asha', 'ravi', 'mei');
    await record(account, 'asha', 'open', 3);
    await record(account, 'asha', 'click', 3);
    await record(account, 'ravi', 'open', 60);
    await record(account, 'ravi', 'sent', 61, 'sms');
  });

  test('can filter, sort and show them like attributes', async () => {
    const fields = ['EMAIL', score, 'Activity.Email.Last_Open', 'activity.open_30_days', 'activity.sms.sent_90_days'];
    const rows = await account.rows({ output: { fields, sorting: [{ field: score, direction: 'desc' }] } });
    expect(rows).toEqual([
      {
        EMAIL: 'asha@example.com',
        [score]: 15,
        'Activity.Email.Last_Open': ago(3),
        'activity.open_30_days': 1,
        'activity.sms.sent_90_days': 0,
      },
      {
        EMAIL: 'ravi@example.com',
        [score]: 2,
        'Activity.Email.Last_Open': ago(60),
        'activity.open_30_days': 0,
        'activity.sms.sent_90_days': 1,
      },
      {
        EMAIL: 'mei@example.com',
        [score]: 0,
        'Activity.Email.Last_Open': null,
        'activity.open_30_days': 0,
        'activity.sms.sent_90_days': 0,
      },
    ]);
    const found = async (body: object) =>
      (await account.rows({ ...body, output: { fields: ['EMAIL'], sorting: [{ field: 'EMAIL' }] } })).map((row) =>
        String(row['EMAIL']).replace('@example.com', ''),
      );
    expect(await found(where(score, 'less_than', 5))).toEqual(['mei', 'ravi']);
    expect(await found(where(score, 'between', [2, 15]))).toEqual(['asha', 'ravi']);
    expect(await found(where('activity.last_seen', 'in_last', '30 days'))).toEqual(['asha']);
    expect(await found(where('activity.last_seen', 'not_in_last', '30 days'))).toEqual(['mei', 'ravi']);
    expect(await found(where('activity.first_seen', 'is_null'))).toEqual(['mei']);
  });

  test('counts change at midnight in its time zone, without any activity', async () => {
    const value = async () =>
      (await account.rows({ output: { fields: ['activity.open_30_days'], sorting: [{ field: 'EMAIL' }] } }))[0];
    // Berlin has summer time from 29 March on, so the day begins at 22:00 UTC.
    now = Date.parse('2026-04-24T21:59:59Z');
    expect(await value()).toEqual({ 'activity.open_30_days': 1 });
    now = Date.parse('2026-04-24T22:00:00Z');
    expect(await value()).toEqual({ 'activity.open_30_days': 0 });
  });

  test('has them in segments, exports, bulk changes and profiles', async () => {
    const segment = await account.operator('POST', '/segments', {
      name: 'Engaged',
      ...where(score, 'greater_than', 10),
    });
    expect(segment.status).toBe(201);
    expect((await account.operator('GET', `/segments/${segment.body.audience_id}`)).body).toMatchObject({
      contact_count: 1,
      filtering_criteria: [{ condition_details: [{ field: score, field_category: 'derived' }] }],
    });
    // A caller who may not see activities does not see the values either.
    const key = await keyWith(account, 'segments:read');
    const seen = await service.call(
      'GET',
      `/admin/v1/accounts/${account.accountId}/segments/${segment.body.audience_id}`,
      { headers: key },
    );
    expect(seen.status).toBe(200);
    expect(seen.body.filtering_criteria).toMatchObject([{ condition_details: [{ field: score, value: ['****'] }] }]);
    const preview = await account.operator('POST', '/exports/preview', {
      filter: where(score, 'greater_than', 0),
      attributes: ['EMAIL', score, 'activity.email.last_open'],
    });
    expect(preview.status).toBe(200);
    expect(JSON.stringify(preview.body)).toContain(ago(3));
    const bulk = await account.operator('POST', '/bulk-changes', {
      action: { type: 'delete' },
      ...where(score, 'equals', 0),
      expected_count: 1,
    });
    expect([200, 201, 202]).toContain(bulk.status);
    const [{ contact_id: id }] = (await account.rows({
      ...where('EMAIL', 'equals', 'asha@example.com'),
      output: { fields: ['contact_id'] },
    })) as [{ contact_id: number }];
    const { body: profile } = await account.operator('GET', `/contacts/${id}`);
    expect(profile.derived_attributes).toContainEqual({ name: score, data_type: 'number', value: 15 });
    expect(profile.derived_attributes).toContainEqual({
      name: 'activity.first_seen',
      data_type: 'datetime',
      value: ago(3),
    });
  });

  test('refuses to write one, and keeps the rest of the contact', async () => {
    const contacts = [{ identity: 'new@example.com', attributes: { CITY: 'Pune', [score]: 99 } }];
    const request = await account.createContacts(contacts);
    expect(request.failures).toMatchObject([{ code: 'attribute_derived', warning: true }]);
    const rows = await account.rows({
      ...where('EMAIL', 'equals', 'new@example.com'),
      output: { fields: ['CITY', score] },
    });
    expect(rows).toEqual([{ CITY: 'Pune', [score]: 0 }]);
  });

  test('shows them only to keys that may see activities', async () => {
    const key = await keyWith(account, 'contacts:read', 'export');
    for (const body of [
      where(score, 'greater_than', 10),
      { output: { fields: [score] } },
      { output: { sorting: [{ field: score }] } },
    ]) {
      const answer = await account.v5('/contact/search', body, key);
      expect(answer.status).toBe(403);
      expect(JSON.stringify(answer.body)).toContain('activity:read');
    }
    const allowed = await keyWith(account, 'contacts:read', 'activity:read');
    expect((await account.v5('/contact/search', where(score, 'greater_than', 10), allowed)).body.data).toHaveLength(1);
    const other = await derivedAccount(service);
    expect(await other.rows({ output: { fields: [score] } })).toEqual([]);
  });
});

describe('switching derived attributes', () => {
  test('on computes them from the stored activities, and searches refuse them until then', async () => {
    account = await service.createAccount();
    await createPeople(account, 'asha', 'ravi');
    for (const days of [1, 2, 3]) await record(account, 'asha', 'open', days);
    await record(account, 'ravi', 'click', 2);
    const refused = async () => (await account.v5('/contact/search', where(score, 'greater_than', 0))).body.errors;
    expect(await refused()).toMatchObject([{ code: 'not_supported', message: expect.stringContaining('Switch on') }]);
    await switchDerived(account, true);
    expect(await refused()).toMatchObject([{ code: 'not_supported', message: expect.stringContaining('computed') }]);
    await stepSummaries(service.context, account.accountId, { activities: 1, summaries: 1 });
    expect((await account.operator('GET', '/derived-attributes')).body).toMatchObject({
      state: 'building',
      progress: { done: 3, total: 4 },
    });
    // An activity of a contact that is built already, and one of a contact that is not.
    await record(account, 'asha', 'click', 1);
    await record(account, 'ravi', 'open', 1);
    await keep(service);
    await expectExact(service, account, now);
    expect(await account.rows({ output: { fields: [score], sorting: [{ field: 'EMAIL' }] } })).toEqual([
      { [score]: 25 },
      { [score]: 15 },
    ]);
    expect((await account.operator('GET', '/derived-attributes')).body).toMatchObject({
      state: 'ready',
      progress: null,
    });
  });

  test('off deletes the values, and a segment that uses them says so', async () => {
    account = await derivedAccount(service);
    await createPeople(account, 'asha');
    await record(account, 'asha', 'open', 1);
    const { body } = await account.operator('POST', '/segments', {
      name: 'Engaged',
      ...where(score, 'greater_than', 1),
    });
    const filter = where(score, 'greater_than', 1);
    await account.operator('POST', '/segments', { name: 'Others', ...where('identity', 'is_not_null') });
    const schedule = { name: 'Daily', filter, timing: { every: 'day', at: '06:00' } };
    expect((await account.operator('POST', '/export-schedules', schedule)).status).toBe(201);
    const view = { name: 'By score', page: 'contacts', state: { columns: [score] }, shared: true };
    expect((await account.operator('POST', '/views', view)).status).toBe(201);
    const { uses } = (await account.operator('GET', '/derived-attributes')).body;
    expect(uses.map(({ feature, name }: AttributeUse) => [feature, name])).toEqual([
      ['segment', 'Engaged'],
      ['export_schedule', 'Daily'],
      ['saved_view', 'By score'],
    ]);
    await switchDerived(account, false);
    expect((await account.operator('GET', '/derived-attributes')).body.state).toBe('removing');
    expect((await account.operator('POST', '/derived-attributes/rebuild')).status).toBe(409);
    await keep(service);
    const { rows } = await sql`select from activity_summaries where account_id = ${account.accountId}`.execute(
      service.context.db,
    );
    expect(rows).toEqual([]);
    expect((await account.operator('GET', '/derived-attributes')).body.state).toBe('off');
    expect((await account.operator('GET', `/segments/${body.audience_id}/count`)).status).toBe(409);
    await switchDerived(account, true);
    await keep(service);
    expect((await account.operator('GET', `/segments/${body.audience_id}/count`)).body.count).toBe(1);
  });

  test('a rebuild repairs wrong values, and searches can use them meanwhile', async () => {
    account = await derivedAccount(service);
    await createPeople(account, 'asha');
    await record(account, 'asha', 'open', 1);
    await sql`update activity_summaries set email_open_minutes = '{1,2}', email_click_at = now()
      where account_id = ${account.accountId}`.execute(service.context.db);
    const answer = await account.operator('POST', '/derived-attributes/rebuild');
    expect(answer).toMatchObject({ status: 200, body: { state: 'rebuilding' } });
    expect(await account.rows({ output: { fields: ['activity.last_seen'] } })).toEqual([
      { 'activity.last_seen': ago(1) },
    ]);
    await keep(service);
    await expectExact(service, account, now);
    const { body } = await account.operator('GET', '/audit-log');
    expect(body.data[0].action).toBe('derived_attributes.rebuild');
  });
});

test('a sorting by the last message sent counts also older messages', async () => {
  const own = await derivedAccount(service);
  // The contact with more messages comes later by its contact_id.
  const names = ['bob', 'ada', 'eve', 'zoe', 'kim'];
  await createPeople(own, ...names);
  for (const name of names) await record(own, name, 'sent', { bob: 5, ada: 5, eve: 6, zoe: 7, kim: 8 }[name]!);
  for (const days of [40, 41]) await record(own, 'ada', 'sent', days);
  const sorting = ['activity.email.last_sent', 'activity.sent_90_days'].map((field) => ({ field, direction: 'desc' }));
  const output = { fields: ['identity', 'activity.sent_90_days'], sorting, pagination: { limit: 2 } };
  expect(await own.rows({ output })).toEqual([
    { identity: 'ada@example.com', 'activity.sent_90_days': 3 },
    { identity: 'bob@example.com', 'activity.sent_90_days': 1 },
  ]);
});
