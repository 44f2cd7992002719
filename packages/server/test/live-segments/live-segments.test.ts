import { LiveSegment, liveSegmentsPerAccount, type SegmentChange } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { contactId, erased, finished } from '../erasures/support.ts';
import { expectShape } from '../operator/shape.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { follow, matchesOf, membersOf, replayedMembers } from './support.ts';

let account: TestAccount;
const service = await forFile(startTestService());
beforeEach(async () => {
  account = await service.createAccount();
  expect((await account.operator('PATCH', '', { settings: { events: true } })).status).toBe(200);
});

const condition = (field: string, operation: string, value?: unknown) => ({
  filtering_criteria: [{ condition_details: [{ field, operation, ...(value === undefined ? {} : { value }) }] }],
});
const inPune = condition('CITY', 'equals', 'Pune');

const create = (...contacts: object[]) => account.createContacts(contacts);
const update = (...contacts: object[]) => account.updateContacts(contacts);
const person = (name: string, CITY?: string) => ({
  identity: `${name}@example.com`,
  ...(CITY === undefined ? {} : { attributes: { CITY } }),
});
const idOf = (name: string) => contactId(account, `${name}@example.com`);

async function liveSegment(filter: object = inPune): Promise<number> {
  const { status, body } = await account.operator('POST', '/segments', { name: 'Live', live: true, ...filter });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.audience_id;
}
const followed = () => follow(service.context, account.accountId);
const members = (id: number) => membersOf(service.context, account.accountId, id);
const liveOf = async (id: number) => (await account.operator('GET', `/segments/${id}`)).body.live;
async function changes(id: number, query = ''): Promise<SegmentChange[]> {
  const { status, body } = await account.operator('GET', `/segments/${id}/changes${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}
const short = (all: readonly SegmentChange[]) => all.map((one) => [one.contact_id, one.change, one.cause]);
const segmentEvents = async () => {
  const { body } = await account.operator('GET', '/event-feed?limit=10000');
  return body.data
    .filter(({ kind }: { kind: string }) => kind.endsWith('_segment'))
    .map(({ kind, contact_id: id, details }: Record<string, unknown>) => [kind, id, details]);
};
const pending = async () =>
  service.context.db.selectFrom('live_pending').where('account_id', '=', account.accountId).selectAll().execute();

describe('a live segment', () => {
  test('is filled with the contacts that match, and then follows every change', async () => {
    await create(person('ada', 'Pune'), person('bob', 'Ulm'), person('eve'));
    const id = await liveSegment();
    expect(await liveOf(id)).toMatchObject({ state: 'filling', member_count: 0, lag_seconds: null, filled_at: null });
    await followed();
    const [ada, bob, eve] = [await idOf('ada'), await idOf('bob'), await idOf('eve')];
    expect(await members(id)).toEqual([ada]);
    await update(person('bob', 'Pune'), { ...person('ada'), attributes: { CITY: null } });
    await account.apply('/contact/delete', { data: { contacts: [person('eve')] } });
    await create(person('kim', 'Pune'));
    const behind = await liveOf(id);
    expect(behind.lag_seconds).toBeGreaterThan(0);
    await followed();
    const kim = await idOf('kim');
    expect(await members(id)).toEqual([bob, kim]);
    const live = await liveOf(id);
    expectShape(LiveSegment, live);
    expect(live).toMatchObject({ state: 'following', member_count: 2, lag_seconds: 0 });
    expect(short(await changes(id))).toEqual([
      [kim, 'entered', 'changed'],
      [bob, 'entered', 'changed'],
      [ada, 'left', 'changed'],
      [ada, 'entered', 'filled'],
    ]);
    expect(await segmentEvents()).toEqual([
      ['contact.entered_segment', ada, { segment_id: id, cause: 'filled' }],
      ['contact.left_segment', ada, { segment_id: id, cause: 'changed' }],
      ['contact.entered_segment', bob, { segment_id: id, cause: 'changed' }],
      ['contact.entered_segment', kim, { segment_id: id, cause: 'changed' }],
    ]);
    expect(eve).toBeGreaterThan(0);
    const { body } = await account.operator('GET', `/segments/${id}/growth`);
    expect(body.live_days).toMatchObject([{ entered: 3, left: 1 }]);
  });

  test('looks only at contacts whose change it can depend on', async () => {
    await create(person('ada', 'Pune'));
    await liveSegment();
    await followed();
    await update({ ...person('ada'), attributes: { NAME: 'Ada' }, mobile: '491701234567' });
    await update({ ...person('ada'), subscriptions: { sms: false } });
    expect(await pending()).toEqual([]);
    await update(person('ada', 'Ulm'));
    expect((await pending()).map(({ inputs }) => inputs?.length)).toEqual([1]);
  });

  test.each([
    ['a mobile number', condition('mobile', 'starts_with', '4917'), { mobile: '491701234567' }],
    ['an opt-out', condition('sms_opted_out', 'equals', true), { subscriptions: { sms: false } }],
    ['a time of change', condition('updated_at', 'greater_than', '2020-01-01'), { attributes: { FIRST_NAME: 'A' } }],
    ['an attribute without a value', condition('FIRST_NAME', 'is_not_null'), { attributes: { FIRST_NAME: 'A' } }],
  ])('follows %s', async (_what, filter, change) => {
    const { accountId } = account;
    await create(person('first'), person('ada'));
    const id = await liveSegment(filter);
    await followed();
    await update({ ...person('ada'), ...change });
    await followed();
    const ada = await idOf('ada');
    expect(await members(id)).toEqual(await matchesOf(service.context, accountId, id));
    expect(await members(id)).toContain(ada);
  });

  test('follows memberships of lists, also when a list is deleted', async () => {
    const [news, other] = [await account.createList('News'), await account.createList('Other')];
    const inNews = await liveSegment(condition('list_id', 'equals', news));
    const inNone = await liveSegment(condition('list_id', 'is_null'));
    await create({ ...person('ada'), audience_details: [{ audience_id: other }] });
    await followed();
    const ada = await idOf('ada');
    expect([await members(inNews), await members(inNone)]).toEqual([[], []]);
    await update({ ...person('ada'), audience_details: [{ audience_id: news }] });
    await followed();
    expect([await members(inNews), await members(inNone)]).toEqual([[ada], []]);
    await update({ ...person('ada'), audience_details: [{ audience_id: news, action: 'remove' }] });
    await followed();
    expect([await members(inNews), await members(inNone)]).toEqual([[], []]);
    expect((await account.operator('DELETE', `/lists/${other}`)).status).toBe(204);
    await followed();
    expect(await members(inNone)).toEqual([ada]);
  });

  test('is filled again when its filter changes, or the filter of a segment in it', async () => {
    await create(person('ada', 'Pune'), person('bob', 'Ulm'));
    const { body: inner } = await account.operator('POST', '/segments', { name: 'Inner', ...inPune });
    const id = await liveSegment(condition('segment_id', 'not_equals', inner.audience_id));
    await followed();
    const [ada, bob] = [await idOf('ada'), await idOf('bob')];
    expect(await members(id)).toEqual([bob]);
    await account.operator('PATCH', `/segments/${inner.audience_id}`, condition('CITY', 'equals', 'Ulm'));
    await followed();
    expect(await members(id)).toEqual([ada]);
    await account.operator('PATCH', `/segments/${id}`, { filtering_criteria: [] });
    await followed();
    expect(await members(id)).toEqual([ada, bob]);
    expect(short(await changes(id)).slice(0, 1)).toEqual([[bob, 'entered', 'filled']]);
    expect((await replayedMembers(account)).get(id)).toEqual([ada, bob]);
  });

  test('follows a change of the identity, and its members keep their numbers', async () => {
    await create(person('ada', 'Pune'));
    const id = await liveSegment(condition('identity', 'contains', 'lovelace'));
    await followed();
    const ada = await idOf('ada');
    await update({ contact_id: ada, identity: 'lovelace@example.com' });
    await followed();
    expect(await members(id)).toEqual([ada]);
  });

  test('can be turned off and on again, and its old members are deleted', async () => {
    await create(person('ada', 'Pune'));
    const id = await liveSegment();
    await followed();
    const off = await account.operator('PATCH', `/segments/${id}`, { live: false });
    expect(off.body.live).toBeNull();
    expect((await account.operator('GET', `/segments/${id}/changes`)).status).toBe(409);
    await update(person('ada', 'Ulm'));
    await followed();
    const { db } = service.context;
    const count = await db.selectFrom('live_members').where('account_id', '=', account.accountId).selectAll().execute();
    expect(count).toEqual([]);
    expect(await pending()).toEqual([]);
    await account.operator('PATCH', `/segments/${id}`, { live: true });
    await followed();
    expect(await members(id)).toEqual([]);
    expect((await account.operator('DELETE', `/segments/${id}`)).status).toBe(204);
    const { body: feed } = await account.operator('GET', '/event-feed?limit=10000');
    const ofSegment = feed.data.filter(({ details }: { details: object }) => 'segment_id' in details);
    expect(ofSegment.map(({ kind, details }: Record<string, unknown>) => [kind, details])).toEqual([
      ['contact.entered_segment', { segment_id: id, cause: 'filled' }],
      ['segment.stopped', { segment_id: id }],
      ['segment.stopped', { segment_id: id }],
    ]);
    const rows = await db.selectFrom('live_segments').where('account_id', '=', account.accountId).selectAll().execute();
    expect(rows).toEqual([]);
  });

  test('is in the export of a person, with the entries and departures of this person only', async () => {
    await create(person('ada', 'Pune'), person('bob', 'Pune'));
    const id = await liveSegment();
    await followed();
    await update(person('ada', 'Ulm'));
    await followed();
    const { status, body } = await account.operator('GET', `/contacts/${await idOf('ada')}/export`);
    expect(status).toBe(200);
    expect(body.segment_changes).toMatchObject([
      { audience_id: id, change: 'entered', cause: 'filled' },
      { audience_id: id, change: 'left', cause: 'changed' },
    ]);
  });

  test('of an erased person has no trace of the person', async () => {
    await using _jobs = service.startJobs();
    await create(person('ada', 'Pune'), person('bob', 'Pune'));
    const id = await liveSegment();
    await followed();
    const [ada, bob] = [await idOf('ada'), await idOf('bob')];
    await finished(account, (await erased(account, ada)).request_id);
    await followed();
    expect(await members(id)).toEqual([bob]);
    expect(await liveOf(id)).toMatchObject({ member_count: 1 });
    expect(short(await changes(id))).toEqual([[bob, 'entered', 'filled']]);
    expect((await segmentEvents()).filter(([, contact]: unknown[]) => contact === ada)).toEqual([
      ['contact.entered_segment', ada, {}],
    ]);
  });

  test('an erased person leaves it without an event', async () => {
    await create(person('ada', 'Pune'), person('bob', 'Pune'));
    const id = await liveSegment();
    await followed();
    const ada = await idOf('ada');
    const { request_id } = await erased(account, ada);
    await followed();
    expect(await members(id)).toEqual([await idOf('bob')]);
    expect((await segmentEvents()).filter(([kind]: unknown[]) => kind === 'contact.left_segment')).toEqual([]);
    expect(short(await changes(id)).filter(([, change]) => change === 'left')).toEqual([]);
    const growth = await account.operator('GET', `/segments/${id}/growth`);
    expect(growth.body.live_days).toMatchObject([{ entered: 2, left: 1 }]);
    await using _jobs = service.startJobs();
    await finished(account, request_id);
    await followed();
    expect(await liveOf(id)).toMatchObject({ member_count: 1 });
    expect((await account.operator('GET', `/segments/${id}/growth`)).body.live_days).toMatchObject([
      { entered: 2, left: 1 },
    ]);
  });

  test('has pages of full length after people who entered it were erased', async () => {
    await using _jobs = service.startJobs();
    const id = await liveSegment();
    await followed();
    const names = ['ada', 'bob', 'eve', 'joe', 'kim', 'lea'];
    for (const name of names) {
      await create(person(name, 'Pune'));
      await followed();
    }
    const ids = [];
    for (const name of names) ids.push(await idOf(name));
    for (const one of ids.slice(2)) await finished(account, (await erased(account, one)).request_id);
    await followed();
    const { body } = await account.operator('GET', `/segments/${id}/changes?limit=1`);
    expect(short(body.data)).toEqual([[ids[1], 'entered', 'changed']]);
    const next = await account.operator('GET', `/segments/${id}/changes?limit=1&cursor=${body.next_cursor}`);
    expect(short(next.body.data)).toEqual([[ids[0], 'entered', 'changed']]);
    expect(next.body.next_cursor).toBeNull();
  });

  test('works without the setting events, and an account without live segments stores nothing', async () => {
    await create(person('ada', 'Pune'));
    expect(await pending()).toEqual([]);
    await account.operator('PATCH', '', { settings: { events: false } });
    const id = await liveSegment();
    await followed();
    const { body } = await account.operator('GET', '/event-feed');
    expect(body.data.filter(({ kind }: { kind: string }) => kind.endsWith('_segment'))).toEqual([]);
    expect(await changes(id)).toHaveLength(1);
  });
});

describe('the operations of live segments', () => {
  test('pages of entries and departures have each once, newest first', async () => {
    await create(...Array.from({ length: 25 }, (_, at) => person(`p${at}`, 'Pune')));
    const id = await liveSegment();
    await followed();
    await update(...Array.from({ length: 10 }, (_, at) => person(`p${at}`, 'Ulm')));
    await followed();
    const all: SegmentChange[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await account.operator(
        'GET',
        `/segments/${id}/changes?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      all.push(...body.data);
      cursor = body.next_cursor;
    }
    expect(all).toEqual(await changes(id, '?limit=50'));
    expect(all.map(({ change }) => change)).toEqual([
      ...Array.from({ length: 10 }, () => 'left'),
      ...Array.from({ length: 25 }, () => 'entered'),
    ]);
    expect(new Set(all.slice(10).map((one) => one.contact_id)).size).toBe(25);
  });

  test('a segment that is not live has no entries and departures', async () => {
    const { body } = await account.operator('POST', '/segments', { name: 'Not live', ...inPuneLater });
    expect(body.live).toBeNull();
    const refused = await account.operator('GET', `/segments/${body.audience_id}/changes`);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('is not live');
    expect((await account.operator('GET', '/segments/999/changes')).status).toBe(404);
    const live = await liveSegment(inPuneLater);
    expect((await account.operator('GET', `/segments/${live}/changes?cursor=x`)).status).toBe(400);
  });

  test('an account can have only some live segments', async () => {
    for (let count = 0; count < liveSegmentsPerAccount; count++) await liveSegment(inPuneLater);
    const refused = await account.operator('POST', '/segments', { name: 'More', live: true, ...inPuneLater });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(String(liveSegmentsPerAccount));
    const { body } = await account.operator('GET', '/segments?limit=100');
    expect(body.data).toHaveLength(liveSegmentsPerAccount);
    const plain = await account.operator('POST', '/segments', { name: 'Plain', ...inPuneLater });
    expect((await account.operator('PATCH', `/segments/${plain.body.audience_id}`, { live: true })).status).toBe(409);
    await account.operator('PATCH', `/segments/${body.data[0].audience_id}`, { live: false });
    expect((await account.operator('PATCH', `/segments/${plain.body.audience_id}`, { live: true })).status).toBe(200);
  });

  test('a live segment of another account cannot be seen or changed', async () => {
    await create(person('ada', 'Pune'));
    const id = await liveSegment();
    await followed();
    const other = await service.createAccount();
    expect((await other.operator('GET', `/segments/${id}/changes`)).status).toBe(404);
    expect((await other.operator('PATCH', `/segments/${id}`, { live: false })).status).toBe(404);
    await other.createContacts([person('ada', 'Pune'), person('zoe', 'Pune')]);
    await follow(service.context, other.accountId);
    await followed();
    expect(await members(id)).toHaveLength(1);
  });

  test('a change of live only counts as a change for If-Match', async () => {
    const id = await liveSegment(inPuneLater);
    const { headers } = await account.operator('GET', `/segments/${id}`);
    await account.operator('PATCH', `/segments/${id}`, { live: false });
    const stale = await service.call('PATCH', `/admin/v1/accounts/${account.accountId}/segments/${id}`, {
      body: { live: true },
      headers: { authorization: `Bearer the-operator-token-of-all-the-tests`, 'if-match': String(headers['etag']) },
    });
    expect(stale.status).toBe(412);
    expect((await account.operator('PATCH', `/segments/${id}`, { live: null })).status).toBe(400);
  });
});

const inPuneLater = condition('email', 'contains', 'pune');
