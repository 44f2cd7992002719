import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { contact, createContacts, record, recorded } from './support.ts';

let service: TestService;
let account: TestAccount;
let now = Date.parse('2026-06-15T12:00:00Z');

beforeAll(async () => {
  service = await startTestService({ now: () => new Date(now) });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  account = await service.createAccount();
});

const asha = 'asha@example.com';
/** A moment as many minutes ago. */
const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const later = (minutes: number) => void (now += minutes * 60_000);
const record1 = (activity: string, fields: object = {}) => record({ activity, occurred_at: ago(60), ...fields });
const report = (...records: object[]) => recorded(service, account, records);
const subscribe = (subscriptions: object, identity = asha) =>
  account.apply('/contact/update', { data: { contacts: [{ identity, subscriptions }] } });

/** What stands of the contact: its type, and whether it is opted out of email, sms and whatsapp. */
async function state(identity = asha): Promise<unknown[] | undefined> {
  const found = await contact(account, identity, 'contact_type', 'email_opted_out', 'sms_opted_out');
  if (found === undefined) return undefined;
  const { whatsapp_opted_out: whatsapp } = await service.context.db
    .selectFrom('contacts')
    .where('account_id', '=', account.accountId)
    .where('contact_key', '=', identity)
    .select('whatsapp_opted_out')
    .executeTakeFirstOrThrow();
  return [...Object.values(found), whatsapp];
}

const untouched = ['identified', false, false, false];
const blacklisted = ['blacklisted', true, false, false];

describe('an activity', () => {
  test.each([
    ['unsubscribe', 'email', {}, blacklisted],
    ['spam', 'email', {}, blacklisted],
    ['bounce', 'email', { bounce_type: 'hard' }, blacklisted],
    ['unsubscribe', 'sms', {}, ['identified', false, true, false]],
    ['bounce', 'sms', { bounce_type: 'hard' }, ['identified', false, true, false]],
    ['spam', 'whatsapp', {}, ['identified', false, false, true]],
    ['bounce', 'email', { bounce_type: 'soft' }, untouched],
    ['bounce', 'email', {}, untouched],
    ['unsubscribe', 'app_push', {}, untouched],
    ['spam', 'web_push', {}, untouched],
    ['click', 'email', { bounce_type: 'hard' }, untouched],
    ['sent', 'email', {}, untouched],
  ])('%s on %s %j makes the contact %j', async (activity, channel, fields, expected) => {
    await createContacts(account, asha, 'other@example.com');
    expect(await report(record1(activity, { channel, ...fields }))).toMatchObject({
      counts: { created: 1, failed: 0 },
    });
    expect(await state()).toEqual(expected);
    expect(await state('other@example.com')).toEqual(untouched);
  });

  test('that opts out takes its turn among the other requests, also within one batch', async () => {
    await createContacts(account, asha);
    const answers = await Promise.all([
      account.operator('POST', '/activities', { data: [record1('unsubscribe', { channel: 'sms' })] }),
      account.v5('/contact/delete', { data: { contacts: [{ identity: 'nobody@example.com' }] } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await service.settled();
    expect(await state()).toEqual(['identified', false, true, false]);
  });

  test('gives back the type before when the contact opts in again', async () => {
    await createContacts(account, asha);
    await report(record1('spam'));
    await subscribe({ email: true });
    expect(await state()).toEqual(untouched);
  });
});

describe('who has come back to a channel', () => {
  beforeEach(async () => {
    await createContacts(account, asha);
    await report(record1('unsubscribe', { id: 'first' }), record1('unsubscribe', { channel: 'sms' }));
    later(10);
    await subscribe({ email: true, sms: true });
    expect(await state()).toEqual(untouched);
  });

  test('is not opted out by what was before, however late it is reported, or again', async () => {
    await report(record1('unsubscribe', { id: 'first', occurred_at: ago(70) }));
    await report(
      record1('spam', { occurred_at: ago(30) }),
      record1('unsubscribe', { channel: 'sms', occurred_at: ago(5000) }),
    );
    expect(await state()).toEqual(untouched);
  });

  test('is opted out by what comes after', async () => {
    later(10);
    await report(record1('unsubscribe', { occurred_at: ago(5) }));
    expect(await state()).toEqual(blacklisted);
  });

  test('has come back to that channel only', async () => {
    await report(record1('unsubscribe', { channel: 'whatsapp', occurred_at: ago(30) }));
    expect(await state()).toEqual(['identified', false, false, true]);
  });
});

test('a contact that an operator has unblocked is blocked again by what it does since, and by no repeat of what it did', async () => {
  await createContacts(account, asha);
  const old = record1('spam', { id: 'old' });
  await report(old);
  const { contact_id: id } = (await contact(account, asha, 'contact_id'))!;
  expect((await account.operator('POST', `/contacts/${String(id)}/unblock`)).body).toMatchObject({
    contact_type: 'identified',
  });
  // Neither by what it did before and is reported only now.
  await report(old, record1('unsubscribe', { id: 'late', occurred_at: ago(60) }));
  expect(await state()).toEqual(['identified', true, false, false]);
  later(10);
  await report(record1('unsubscribe', { id: 'sms', channel: 'sms', occurred_at: ago(5) }));
  expect(await state()).toEqual(['identified', true, true, false]);
  await report(record1('spam', { id: 'new', occurred_at: ago(5) }));
  expect(await state()).toEqual(['blacklisted', true, true, false]);
});

describe('the opt-out of somebody who is not a contact', () => {
  const signUp = () => createContacts(account, asha);

  test('applies when the contact is created, once', async () => {
    await report(record1('unsubscribe'), record1('unsubscribe', { channel: 'sms', occurred_at: ago(50) }));
    expect(await state()).toBeUndefined();
    await signUp();
    expect(await state()).toEqual(['blacklisted', true, true, false]);
    await account.apply('/contact/delete', { data: { contacts: [{ identity: asha }] } });
    await signUp();
    expect(await state()).toEqual(untouched);
  });

  test('applies when a contact gets the identity', async () => {
    await report(record1('spam', { identity: 'new@example.com' }));
    await signUp();
    const { contact_id } = (await contact(account, asha, 'contact_id'))!;
    await account.apply('/contact/update', { data: { contacts: [{ contact_id, identity: 'new@example.com' }] } });
    expect(await state('new@example.com')).toEqual(blacklisted);
  });

  test('does not apply when the same request says that the contact opts in, nor when it is reported again', async () => {
    const old = record1('unsubscribe');
    await report(old);
    later(10);
    await account.apply('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: asha, subscriptions: { email: true } }] },
    });
    expect(await state()).toEqual(untouched);
    await report(old);
    expect(await state()).toEqual(untouched);
  });

  test('is the latest of several', async () => {
    await report(record1('unsubscribe', { occurred_at: ago(5) }));
    await report(record1('unsubscribe', { occurred_at: ago(500) }));
    const rows = await service.context.db
      .selectFrom('awaited_opt_outs')
      .where('account_id', '=', account.accountId)
      .selectAll()
      .execute();
    expect(rows.map((row) => row.occurred_at.toISOString())).toEqual([ago(5)]);
  });

  test('meets the contact within one batch, whatever comes first', async () => {
    const body = {
      data: { contact_type: 'identified', contacts: [{ identity: asha }, { identity: 'b@example.com' }] },
    };
    const sent = [
      await account.operator('POST', '/activities', { data: [record1('spam')] }),
      await account.v5('/contact/create', body),
      await account.operator('POST', '/activities', { data: [record1('spam', { identity: 'b@example.com' })] }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    await service.settled();
    expect([await state(), await state('b@example.com')]).toEqual([blacklisted, blacklisted]);
    expect(
      await service.context.db
        .selectFrom('awaited_opt_outs')
        .where('account_id', '=', account.accountId)
        .selectAll()
        .execute(),
    ).toEqual([]);
  });
});
