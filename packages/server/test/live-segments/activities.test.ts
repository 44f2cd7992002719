import { beforeEach, describe, expect, test } from 'vitest';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { createContacts, record, recorded } from '../activities/support.ts';
import { keep } from '../derived-attributes/support.ts';
import { contactId, erased } from '../erasures/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { follow, matchesOf, membersOf } from './support.ts';

let account: TestAccount;
let now = new Date();
const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  now = new Date('2026-03-27T12:00:00Z');
  account = await service.createAccount({
    name: 'Berlin',
    time_zone: 'Europe/Berlin',
    settings: { derived_attributes: true, events: true },
  });
  await keep(service);
  await createContacts(account, 'ada@example.com', 'bob@example.com', 'eve@example.com');
});

const at = (time: string): void => {
  now = new Date(time);
};
const filterOf = (condition: object) => ({ filtering_criteria: [{ condition_details: [condition] }] });
async function liveSegment(condition: object): Promise<number> {
  const { status, body } = await account.operator('POST', '/segments', {
    name: `Live ${crypto.randomUUID()}`,
    live: true,
    ...filterOf(condition),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  await follow(service.context, account.accountId);
  return body.audience_id;
}
async function act(name: string, activity: string, occurredAt: string, parts: object = {}): Promise<void> {
  const one = record({ identity: `${name}@example.com`, activity, occurred_at: occurredAt, ...parts });
  const { failures } = await recorded(service, account, [one]);
  expect(failures).toEqual([]);
}
/** The members of a live segment, which must be the contacts that match, by name. */
async function members(id: number): Promise<string> {
  await follow(service.context, account.accountId);
  const stored = await membersOf(service.context, account.accountId, id);
  expect(stored).toEqual(await matchesOf(service.context, account.accountId, id));
  const rows = await account.rows({ output: { fields: ['contact_id', 'EMAIL'], sorting: [{ field: 'EMAIL' }] } });
  return rows
    .filter((row) => stored.includes(row['contact_id'] as number))
    .map((row) => String(row['EMAIL']).replace(/@.*/, ''))
    .join(' ');
}
const changes = async (id: number): Promise<string[][]> =>
  (await account.operator('GET', `/segments/${id}/changes`)).body.data.map(
    ({ change, cause, occurred_at: time }: Record<string, string>) => [change, cause, time],
  );
const pendingInputs = async () => {
  const rows = await service.context.db
    .selectFrom('live_pending')
    .where('account_id', '=', account.accountId)
    .select(['inputs', 'contact_ids'])
    .execute();
  return rows.map(({ inputs, contact_ids: ids }) => [inputs, ids.length]);
};

const opened = { field: 'activity', operation: 'at_least', value: 1, activity: 'open' };
const inLast = (value: string) => ({ when: { operation: 'in_last', value } });

describe('a live segment with a condition on messages that were sent', () => {
  test('is entered when a message is sent, and left at midnight by the clock', async () => {
    const id = await liveSegment({ field: 'activity.sent_30_days', operation: 'greater_than', value: 1 });
    await act('ada', 'sent', '2026-03-26T10:00:00Z');
    await act('bob', 'sent', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('');
    await act('ada', 'sent', '2026-03-27T10:00:00Z', { channel: 'sms' });
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('ada');
    at('2026-04-25T21:59:59Z');
    expect(await members(id)).toBe('ada');
    at('2026-04-25T22:00:00Z');
    expect(await members(id)).toBe('');
    expect(await changes(id)).toEqual([
      ['left', 'date', '2026-04-25T22:00:00.000Z'],
      ['entered', 'changed', '2026-03-27T12:00:00.000Z'],
    ]);
  });

  test('follows the hours since the last message', async () => {
    const id = await liveSegment({ field: 'activity.email.last_sent', operation: 'not_in_last', value: '2 hours' });
    await act('ada', 'sent', '2026-03-27T11:00:00Z');
    expect(await members(id)).toBe('bob eve');
    at('2026-03-27T13:00:00.001Z');
    expect(await members(id)).toBe('ada bob eve');
  });

  test('reads only these activities, and is filled again when a shorter retention changes its members', async () => {
    const id = await liveSegment({ field: 'activity.email.last_sent', operation: 'is_not_null' });
    await act('ada', 'open', '2026-02-10T10:00:00Z');
    expect(await pendingInputs()).toEqual([]);
    await act('ada', 'sent', '2026-02-10T10:00:00Z');
    expect(await pendingInputs()).toEqual([[['activity:sent'], 1]]);
    expect(await members(id)).toBe('ada');
    expect((await account.operator('PATCH', '', { settings: { activity_retention_months: 1 } })).status).toBe(200);
    expect(await members(id)).toBe('ada');
    at('2026-04-01T00:00:00Z');
    expect(await members(id)).toBe('');
  });
});

describe('a live segment with a condition on activities', () => {
  test('is entered when an open is recorded, and left by the clock when it is 30 days old', async () => {
    const id = await liveSegment({ ...opened, ...inLast('30 days') });
    expect(await members(id)).toBe('');
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('ada');
    // The first day of the 30 is 27 March until the end of 26 April in Berlin.
    at('2026-04-26T21:59:59Z');
    expect(await members(id)).toBe('ada');
    at('2026-04-26T22:00:00Z');
    expect(await members(id)).toBe('');
    expect(await changes(id)).toEqual([
      ['left', 'date', '2026-04-26T22:00:00.000Z'],
      ['entered', 'changed', '2026-03-27T12:00:00.000Z'],
    ]);
    const { body } = await account.operator('GET', '/event-feed?limit=1000');
    const own = body.data.filter(({ kind }: { kind: string }) => kind.endsWith('_segment'));
    expect(own.map(({ kind, details }: { kind: string; details: object }) => [kind, details])).toEqual([
      ['contact.entered_segment', { segment_id: id, cause: 'changed' }],
      ['contact.left_segment', { segment_id: id, cause: 'date' }],
    ]);
  });

  test('follows activities that arrive late, also of a contact that is created later', async () => {
    const id = await liveSegment({ ...opened, ...inLast('30 days') });
    await act('ada', 'open', '2026-02-10T10:00:00Z');
    await act('bob', 'open', '2026-03-01T10:00:00Z');
    await act('kim', 'open', '2026-03-20T10:00:00Z');
    expect(await members(id)).toBe('bob');
    await createContacts(account, 'kim@example.com');
    expect(await members(id)).toBe('bob kim');
    // An activity can be up to a day in the future, and counts when its time has come.
    await act('eve', 'open', '2026-03-27T18:00:00Z');
    expect(await members(id)).toBe('bob kim');
    at('2026-03-27T18:00:00Z');
    expect(await members(id)).toBe('bob eve kim');
  });

  test('follows hours', async () => {
    const id = await liveSegment({ field: 'activity', operation: 'never', activity: 'sent', ...inLast('2 hours') });
    expect(await members(id)).toBe('ada bob eve');
    await act('ada', 'sent', '2026-03-27T11:00:00Z');
    expect(await members(id)).toBe('bob eve');
    at('2026-03-27T13:00:00.001Z');
    expect(await members(id)).toBe('ada bob eve');
  });

  test('notes only activities of the kinds that it asks for', async () => {
    await liveSegment({ ...opened, ...inLast('30 days') });
    await act('ada', 'sent', '2026-03-27T10:00:00Z');
    expect(await pendingInputs()).toEqual([]);
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await pendingInputs()).toEqual([[['activity:open'], 1]]);
  });

  test('an account without such segments notes no activities', async () => {
    await liveSegment({ field: 'EMAIL', operation: 'is_not_null' });
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await pendingInputs()).toEqual([]);
  });

  test('a changed selection fills it again', async () => {
    const id = await liveSegment(opened);
    await act('ada', 'open', '2026-03-27T10:00:00Z', { channel: 'email' });
    await act('bob', 'open', '2026-03-27T10:00:00Z', { channel: 'sms' });
    expect(await members(id)).toBe('ada bob');
    const { status } = await account.operator('PATCH', `/segments/${id}`, filterOf({ ...opened, channel: 'sms' }));
    expect(status).toBe(200);
    expect(await members(id)).toBe('bob');
    expect((await changes(id))[0]!.slice(0, 2)).toEqual(['left', 'filled']);
  });

  test('follows a new identity of a contact, whose activities are moved later', async () => {
    const id = await liveSegment(opened);
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    await act('new', 'open', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('ada');
    const rename = async (from: string, to: string) => {
      const contact_id = await contactId(account, `${from}@example.com`);
      await account.updateContacts([{ contact_id, identity: `${to}@example.com` }]);
    };
    await rename('ada', 'zoe');
    expect(await members(id)).toBe('zoe');
    // This key has activities already.
    await rename('bob', 'new');
    expect(await members(id)).toBe('new zoe');
  });

  test('an erasure removes the person', async () => {
    const id = await liveSegment(opened);
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('ada');
    await erased(account, await contactId(account, 'ada@example.com'));
    await service.settled();
    expect(await members(id)).toBe('');
    await createContacts(account, 'ada@example.com');
    expect(await members(id)).toBe('');
  });

  test('a message that gets a new name is looked at again', async () => {
    const id = await liveSegment({ ...opened, message_name: 'Spring' });
    await act('ada', 'open', '2026-03-27T10:00:00Z', { message_id: 7 });
    expect(await members(id)).toBe('');
    await act('bob', 'sent', '2026-03-27T10:00:00Z', { message_id: 7, msg_name: 'Spring' });
    expect(await members(id)).toBe('ada');
    await act('bob', 'sent', '2026-03-27T11:00:00Z', { message_id: 7, msg_name: 'Summer' });
    expect(await members(id)).toBe('');
  });

  test('the end of the retention removes those whose activities do not count any more', async () => {
    await account.operator('PATCH', '', { settings: { activity_retention_months: 1 } });
    const ever = await liveSegment(opened);
    const before = await liveSegment({ ...opened, when: { operation: 'not_in_last', value: '5 days' } });
    await act('ada', 'open', '2026-02-10T10:00:00Z');
    await act('bob', 'open', '2026-03-10T10:00:00Z');
    expect(await members(ever)).toBe('ada bob');
    at('2026-04-01T00:00:00Z');
    await applyRetention(service.context, new AbortController().signal);
    expect(await members(ever)).toBe('bob');
    expect(await members(before)).toBe('bob');
  });
});

describe('a live segment with a condition on derived attributes', () => {
  test('is entered when an open is recorded, and left at midnight of the account', async () => {
    const count = await liveSegment({ field: 'activity.open_30_days', operation: 'greater_than_or_equal', value: 1 });
    const score = await liveSegment({ field: 'activity.engagement_score', operation: 'greater_than', value: 3 });
    const last = await liveSegment({ field: 'activity.email.last_open', operation: 'in_last', value: '30 days' });
    const seen = await liveSegment({ field: 'activity.last_seen', operation: 'is_null' });
    expect(await members(seen)).toBe('ada bob eve');
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    for (const id of [count, score, last]) expect(await members(id)).toBe('ada');
    expect(await members(seen)).toBe('bob eve');
    at('2026-04-26T21:59:59Z');
    for (const id of [count, score, last]) expect(await members(id)).toBe('ada');
    at('2026-04-26T22:00:00Z');
    for (const id of [count, score, last]) {
      expect(await members(id)).toBe('');
      expect((await changes(id)).map(([change, cause]) => [change, cause])).toEqual([
        ['left', 'date'],
        ['entered', 'changed'],
      ]);
    }
  });

  test('is broken while they are off, and right again when they are computed', async () => {
    const id = await liveSegment({ field: 'activity.open_90_days', operation: 'equals', value: 1 });
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('ada');
    await account.operator('PATCH', '', { settings: { derived_attributes: false } });
    await follow(service.context, account.accountId);
    expect((await account.operator('GET', `/segments/${id}`)).body.live.state).toBe('broken');
    await keep(service);
    await act('bob', 'open', '2026-03-27T10:00:00Z');
    await account.operator('PATCH', '', { settings: { derived_attributes: true } });
    await keep(service);
    expect(await members(id)).toBe('ada bob');
  });

  test('a rebuild fills it again', async () => {
    const id = await liveSegment({ field: 'activity.open_90_days', operation: 'equals', value: 1 });
    await act('ada', 'open', '2026-03-27T10:00:00Z');
    expect(await members(id)).toBe('ada');
    await service.context.db.deleteFrom('activity_summaries').where('account_id', '=', account.accountId).execute();
    await follow(service.context, account.accountId);
    const { status } = await account.operator('POST', '/derived-attributes/rebuild');
    expect(status).toBe(200);
    await keep(service);
    expect(await members(id)).toBe('ada');
    await act('ada', 'open', '2026-03-27T11:00:00Z');
    expect(await members(id)).toBe('');
  });

  test('the end of the retention is followed when the summaries are trimmed', async () => {
    await account.operator('PATCH', '', { settings: { activity_retention_months: 1 } });
    const id = await liveSegment({ field: 'activity.first_seen', operation: 'less_than', value: '2026-03-01' });
    const count = await liveSegment({ field: 'activity.open_90_days', operation: 'greater_than', value: 0 });
    await act('ada', 'open', '2026-02-10T10:00:00Z');
    expect(await members(id)).toBe('ada');
    expect(await members(count)).toBe('ada');
    at('2026-04-01T00:00:00Z');
    expect(await members(id)).toBe('ada');
    await keep(service);
    expect(await members(id)).toBe('');
    expect(await members(count)).toBe('');
  });
});

test('a contact that changes while a step runs enters because it changed, not because time passed', async () => {
  const id = await liveSegment({
    field: 'activity',
    field_category: 'activity',
    operation: 'at_least',
    value: 1,
    activity: 'open',
    when: { operation: 'in_last', value: '30 days' },
  });
  at('2026-03-27T12:00:30Z');
  for (const name of ['ada', 'bob', 'eve']) await act(name, 'open', '2026-03-27T12:00:20Z');
  // A step loads one change. The pass of the clock finds all three, as the end of the 30 days moved.
  await follow(service.context, account.accountId, { changed: 1, filled: 10_000, read: 200_000, rest: 0 });
  expect((await changes(id)).map(([change, cause]) => [change, cause])).toEqual(
    Array.from({ length: 3 }, () => ['entered', 'changed']),
  );
});
