import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { contact, createContacts, record, recorded } from './support.ts';

let account: TestAccount;
let now = Date.parse('2026-06-15T12:00:00Z');

const service = await forFile(startTestService({ now: () => new Date(now) }));
beforeEach(async () => {
  account = await service.createAccount();
});

const asha = 'asha@example.com';
/** The moment this many minutes ago. */
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const passMinutes = (minutes: number) => void (now += minutes * 60_000);
const oldRecord = (activity: string, fields: object = {}) =>
  record({ activity, occurred_at: minutesAgo(60), ...fields });
const report = (...records: object[]) => recorded(service, account, records);
const subscribe = (subscriptions: object, identity = asha) => account.updateContacts([{ identity, subscriptions }]);

/** The contact's type, and whether it is opted out of email, SMS and WhatsApp. */
async function contactState(identity = asha): Promise<unknown[] | undefined> {
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

const optedIn = ['identified', false, false, false];
const blacklisted = ['blacklisted', true, false, false];

describe('how an activity changes its contact', () => {
  test.each([
    ['unsubscribe', 'email', {}, blacklisted],
    ['spam', 'email', {}, blacklisted],
    ['bounce', 'email', { bounce_type: 'hard' }, blacklisted],
    ['unsubscribe', 'sms', {}, ['identified', false, true, false]],
    ['bounce', 'sms', { bounce_type: 'hard' }, ['identified', false, true, false]],
    ['spam', 'whatsapp', {}, ['identified', false, false, true]],
    ['bounce', 'email', { bounce_type: 'soft' }, optedIn],
    ['bounce', 'email', {}, optedIn],
    ['unsubscribe', 'app_push', {}, optedIn],
    ['spam', 'web_push', {}, optedIn],
    ['click', 'email', { bounce_type: 'hard' }, optedIn],
    ['sent', 'email', {}, optedIn],
  ])('the activity %s on %s with %j makes the contact %j', async (activity, channel, fields, expected) => {
    await createContacts(account, asha, 'other@example.com');
    expect(await report(oldRecord(activity, { channel, ...fields }))).toMatchObject({
      counts: { created: 1, failed: 0 },
    });
    expect(await contactState()).toEqual(expected);
    expect(await contactState('other@example.com')).toEqual(optedIn);
  });

  test('an opt-out is applied in order with the other requests, even within one batch', async () => {
    await createContacts(account, asha);
    const answers = await Promise.all([
      account.operator('POST', '/activities', { data: [oldRecord('unsubscribe', { channel: 'sms' })] }),
      account.v5('/contact/delete', { data: { contacts: [{ identity: 'nobody@example.com' }] } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await service.settled();
    expect(await contactState()).toEqual(['identified', false, true, false]);
  });

  test('the contact gets back its former type when it opts in again', async () => {
    await createContacts(account, asha);
    await report(oldRecord('spam'));
    await subscribe({ email: true });
    expect(await contactState()).toEqual(optedIn);
  });
});

describe('a contact that has re-subscribed', () => {
  beforeEach(async () => {
    await createContacts(account, asha);
    await report(oldRecord('unsubscribe', { id: 'first' }), oldRecord('unsubscribe', { channel: 'sms' }));
    passMinutes(10);
    await subscribe({ email: true, sms: true });
    expect(await contactState()).toEqual(optedIn);
  });

  test('opt-outs dated before the re-subscribe are ignored, even if they arrive later or are repeated', async () => {
    await report(oldRecord('unsubscribe', { id: 'first', occurred_at: minutesAgo(70) }));
    await report(
      oldRecord('spam', { occurred_at: minutesAgo(30) }),
      oldRecord('unsubscribe', { channel: 'sms', occurred_at: minutesAgo(5000) }),
    );
    expect(await contactState()).toEqual(optedIn);
  });

  test('an activity dated after the re-subscribe opts the contact out', async () => {
    passMinutes(10);
    await report(oldRecord('unsubscribe', { occurred_at: minutesAgo(5) }));
    expect(await contactState()).toEqual(blacklisted);
  });

  test('a re-subscribe counts for its own channel only', async () => {
    await report(oldRecord('unsubscribe', { channel: 'whatsapp', occurred_at: minutesAgo(30) }));
    expect(await contactState()).toEqual(['identified', false, false, true]);
  });
});

test('after an operator unblocks a contact, only activities dated after that block it again', async () => {
  await createContacts(account, asha);
  const old = oldRecord('spam', { id: 'old' });
  await report(old);
  const { contact_id: id } = (await contact(account, asha, 'contact_id'))!;
  expect((await account.operator('POST', `/contacts/${String(id)}/unblock`)).body).toMatchObject({
    contact_type: 'identified',
  });
  // An activity from before the unblock is ignored too, even if it is reported only now.
  await report(old, oldRecord('unsubscribe', { id: 'late', occurred_at: minutesAgo(60) }));
  expect(await contactState()).toEqual(['identified', true, false, false]);
  passMinutes(10);
  await report(oldRecord('unsubscribe', { id: 'sms', channel: 'sms', occurred_at: minutesAgo(5) }));
  expect(await contactState()).toEqual(['identified', true, true, false]);
  await report(oldRecord('spam', { id: 'new', occurred_at: minutesAgo(5) }));
  expect(await contactState()).toEqual(['blacklisted', true, true, false]);
});

describe('an opt-out reported before its contact exists', () => {
  const signUp = () => createContacts(account, asha);

  test('an awaited opt-out applies once, when the contact is created', async () => {
    await report(oldRecord('unsubscribe'), oldRecord('unsubscribe', { channel: 'sms', occurred_at: minutesAgo(50) }));
    expect(await contactState()).toBeUndefined();
    await signUp();
    expect(await contactState()).toEqual(['blacklisted', true, true, false]);
    await account.apply('/contact/delete', { data: { contacts: [{ identity: asha }] } });
    await signUp();
    expect(await contactState()).toEqual(optedIn);
  });

  test('an awaited opt-out applies when a contact gets the identity', async () => {
    await report(oldRecord('spam', { identity: 'new@example.com' }));
    await signUp();
    const { contact_id } = (await contact(account, asha, 'contact_id'))!;
    await account.updateContacts([{ contact_id, identity: 'new@example.com' }]);
    expect(await contactState('new@example.com')).toEqual(blacklisted);
  });

  test('an awaited opt-out is ignored when the create request opts the contact in, and when it is reported again', async () => {
    const old = oldRecord('unsubscribe');
    await report(old);
    passMinutes(10);
    await account.createContacts([{ identity: asha, subscriptions: { email: true } }]);
    expect(await contactState()).toEqual(optedIn);
    await report(old);
    expect(await contactState()).toEqual(optedIn);
  });

  test('only the latest awaited opt-out is kept', async () => {
    await report(oldRecord('unsubscribe', { occurred_at: minutesAgo(5) }));
    await report(oldRecord('unsubscribe', { occurred_at: minutesAgo(500) }));
    const rows = await service.context.db
      .selectFrom('awaited_opt_outs')
      .where('account_id', '=', account.accountId)
      .selectAll()
      .execute();
    expect(rows.map((row) => row.occurred_at.toISOString())).toEqual([minutesAgo(5)]);
  });

  test('an awaited opt-out applies within one batch, whether it comes before or after the contact', async () => {
    const body = {
      data: { contact_type: 'identified', contacts: [{ identity: asha }, { identity: 'b@example.com' }] },
    };
    const sent = [
      await account.operator('POST', '/activities', { data: [oldRecord('spam')] }),
      await account.v5('/contact/create', body),
      await account.operator('POST', '/activities', { data: [oldRecord('spam', { identity: 'b@example.com' })] }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    await service.settled();
    expect([await contactState(), await contactState('b@example.com')]).toEqual([blacklisted, blacklisted]);
    expect(
      await service.context.db
        .selectFrom('awaited_opt_outs')
        .where('account_id', '=', account.accountId)
        .selectAll()
        .execute(),
    ).toEqual([]);
  });
});
