import { expect, test } from 'vitest';
import { startDeliveryService } from '../callbacks/support.ts';
import { forFile } from '../support/for-file.ts';
import { accountWithEvents, create, subscriptionOf } from './support.ts';

const service = await forFile(startDeliveryService({ worker: true }));
const account = await accountWithEvents(service);

const url = 'https://hooks.example.com/events';
const post = (body: object, own = account) =>
  own.operator('POST', '/event-subscriptions', { name: 'Test', url, ...body });

test('a subscription is created, listed, changed and deleted, and the audit log says by whom', async () => {
  const created = await post({
    kinds: ['contact.created', 'contact.created'],
    fields: ['EMAIL', 'email'],
    headers: [{ name: 'Authorization', value: 'Bearer very-secret' }],
  });
  expect([created.status, created.headers['etag']]).toEqual([201, '"1"']);
  const { subscription_id: id, secret } = created.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = await subscriptionOf(account, id);
  expect(shown).toMatchObject({
    name: 'Test',
    url,
    kinds: ['contact.created'],
    fields: ['EMAIL'],
    header_names: ['Authorization'],
    filter: null,
    max_events: 250,
    when_failed: 'pause',
    author: 'operator',
    version: 1,
    dead_letters: 0,
  });
  expect(JSON.stringify(shown)).not.toMatch(/secret"|very-secret/);
  const path = `/event-subscriptions/${id}`;
  const changed = await account.operator('PATCH', path, { kinds: null, fields: [], max_events: 10, name: 'Renamed' });
  expect(changed.body).toMatchObject({ kinds: null, fields: [], max_events: 10, name: 'Renamed', version: 2 });
  const list = await account.operator('GET', '/event-subscriptions');
  expect(list.body.data.map((one: { name: string }) => one.name)).toContain('Renamed');
  expect((await account.operator('DELETE', path)).status).toBe(204);
  expect((await account.operator('GET', path)).status).toBe(404);
  expect((await account.operator('DELETE', path)).status).toBe(404);
  const { body } = await account.operator('GET', '/audit-log');
  expect(JSON.stringify(body)).not.toMatch(/very-secret|whsec_/);
  expect(body.data.slice(0, 3).map((entry: { action: string }) => entry.action)).toEqual([
    'event_subscription.delete',
    'event_subscription.update',
    'event_subscription.create',
  ]);
});

test.each([
  [{ url: 'http://hooks.example.com/events' }, 'not_allowed', 'url'],
  [{ name: '' }, 'required', 'name'],
  [{ url: 'https://10.0.0.1/events' }, 'not_allowed', 'url'],
  [{ url: 'nowhere' }, 'invalid_format', 'url'],
  [{ kinds: [] }, 'too_few_items', 'kinds'],
  [{ kinds: ['contact.exploded'] }, 'unknown_value', 'kinds[0]'],
  [{ fields: ['NO_SUCH_NAME'] }, 'unknown_field', 'fields[0]'],
  [{ fields: ['segment_id'] }, 'not_supported', 'fields[0]'],
  [
    { filter: { filtering_criteria: [{ condition_details: [{ field: 'NOPE', operation: 'equals', value: [1] }] }] } },
    'unknown_field',
    'filter.filtering_criteria[0].condition_details[0].field',
  ],
  [{ headers: [{ name: 'Webhook-Id', value: '1' }] }, 'not_allowed', 'headers[0]'],
  [{ headers: [{ name: 'Host', value: '1' }] }, 'not_allowed', 'headers[0]'],
  [{ max_events: 1001 }, 'out_of_range', 'max_events'],
  [{ after: 1e15 }, 'out_of_range', 'after'],
  [{ color: 'red' }, 'unknown_field', 'color'],
])('the body %j is refused with %s at %s', async (body, code, field) => {
  const answer = await post(body);
  expect([answer.status, answer.body.errors]).toMatchObject([400, [{ code, field }]]);
});

test('an account that records no events has no subscriptions', async () => {
  const without = await service.createAccount();
  const answer = await post({}, without);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([409, expect.stringContaining('records no events')]);
});

test('an account has at most 20 subscriptions, also when they are created at the same time', async () => {
  const full = await accountWithEvents(service);
  const answers = await Promise.all(Array.from({ length: 22 }, () => post({}, full)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 20 }, () => 201),
    409,
    409,
  ]);
});

test('a change with an old version is refused with the present state', async () => {
  const { body } = await post({});
  const path = `/admin/v1/accounts/${account.accountId}/event-subscriptions/${body.subscription_id}`;
  const { testAdminToken } = await import('../support/context.ts');
  const change = (version: string) =>
    service.call('PATCH', path, {
      body: { name: version },
      headers: { authorization: `Bearer ${testAdminToken}`, 'if-match': `"${version}"` },
    });
  expect((await change('1')).status).toBe(200);
  const stale = await change('1');
  expect([stale.status, JSON.stringify(stale.body)]).toEqual([412, expect.stringContaining('"version":2')]);
});

test('a subscription of one account does not exist for another account', async () => {
  const { body } = await post({});
  const other = await accountWithEvents(service);
  const path = `/event-subscriptions/${body.subscription_id}`;
  const calls = [
    other.operator('GET', path),
    other.operator('PATCH', path, { name: 'Mine' }),
    other.operator('DELETE', path),
    other.operator('POST', `${path}/replay`, { after: 0 }),
    other.operator('POST', `${path}/test`),
    other.operator('POST', `${path}/secret/rotate`),
    other.operator('GET', `${path}/deliveries`),
    other.operator('POST', `${path}/deliveries/${body.subscription_id}/replay`),
  ];
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 404));
  expect((await other.operator('GET', '/event-subscriptions')).body.data).toEqual([]);
});

test('an attribute and a list in a subscription cannot be deleted', async () => {
  await create(account, { identity: 'ada@example.com', attributes: { CITY: 'Ulm' } });
  const { body: list } = await account.operator('POST', '/lists', { name: 'News' });
  const inList = {
    filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [list.audience_id] }] }],
  };
  const { body } = await post({ filter: inList, fields: ['CITY'] });
  const refused = await account.operator('DELETE', `/lists/${list.audience_id}`);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('event subscription')]);
  const usage = await account.v5('/client/attribute/usage', { data: [{ name: 'CITY' }] });
  expect(JSON.stringify(usage.body)).toContain(body.subscription_id);
});
