import { beforeEach, describe, expect, test } from 'vitest';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { finished } from '../erasures/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { contact, record, recorded, stored } from './support.ts';

let account: TestAccount;
let now = Date.parse('2026-06-15T12:00:00Z');

const service = await forFile(startTestService({ worker: false, now: () => new Date(now) }));
beforeEach(async () => {
  account = await newAccount();
});

// The identity is an attribute of its own here. A contact can be named by its mobile number, so a
// change does not need the identity.
const newAccount = () => service.createAccount({ name: 'Keyed', primary_key: 'CUSTOMER_ID' });
const mobileOf = (name: string) => `49170${name.charCodeAt(0)}0000`;
const moment = () => new Date(now).toISOString();

/** Advances the clock by a minute, and returns a moment before that and one after it. */
function passMinute(): { readonly before: string; readonly after: string } {
  const before = moment();
  now += 60_000;
  return { before, after: moment() };
}

/** Runs a worker until the queue is empty. Everything sent since the last run is one batch. */
async function applyAll(): Promise<void> {
  await using _worker = service.startWorker();
  await service.settled();
}

async function send(path: string, contacts: object[], type?: string): Promise<void> {
  const data = { contacts, ...(type === undefined ? {} : { contact_type: type }) };
  const { status, body } = await account.v5(path, { data });
  expect(status, JSON.stringify(body)).toBe(200);
}

const create = (...names: string[]) =>
  send(
    '/contact/create',
    names.map((name) => ({ identity: name, mobile: mobileOf(name) })),
    'identified',
  );
const rename = (created: string, to: string) =>
  send('/contact/update', [{ mobile: mobileOf(created), attributes: { CUSTOMER_ID: to } }]);
const remove = (name: string) => send('/contact/delete', [{ identity: name }]);

/** Sends an opt-out from SMS for an identity. */
async function reportOptOut(name: string, occurred_at: string, fields: object = {}): Promise<void> {
  const one = record({ identity: name, activity: 'unsubscribe', channel: 'sms', occurred_at, ...fields });
  const { status, body } = await account.operator('POST', '/activities', { data: [one] });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** Completes all moves, and returns the identities under which activities are stored. */
async function storedIdentities(): Promise<string[]> {
  await moveActivities(service.context, new AbortController().signal);
  return (await stored(service, account)).map((row) => row.contact_key);
}

const isOptedOut = async (name: string) => (await contact(account, name, 'sms_opted_out'))?.['sms_opted_out'];

async function awaitedOptOuts(): Promise<string[]> {
  const rows = await service.context.db
    .selectFrom('awaited_opt_outs')
    .where('account_id', '=', account.accountId)
    .select('contact_key')
    .execute();
  return rows.map((row) => row.contact_key);
}

describe('a late record for a former identity', () => {
  test('a late record reaches the contact that had the identity then, and opts it out', async () => {
    await create('a', 'z');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await applyAll();
    passMinute();
    await reportOptOut('a', before);
    await applyAll();
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([['b'], []]);
    expect([await isOptedOut('b'), await isOptedOut('z')]).toEqual([true, false]);
  });

  test('a record dated at or after the change stays under the former identity', async () => {
    await create('a');
    await applyAll();
    passMinute();
    await rename('a', 'b');
    const change = moment();
    await applyAll();
    const { after } = passMinute();
    await reportOptOut('a', change);
    await reportOptOut('a', after);
    await applyAll();
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([['a', 'a'], ['a']]);
    expect(await isOptedOut('b')).toBe(false);
  });

  test('a late record belongs to the contact that has the identity now', async () => {
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await create('a');
    await applyAll();
    await reportOptOut('a', before);
    await applyAll();
    expect([await storedIdentities(), await isOptedOut('a'), await isOptedOut('b')]).toEqual([['a'], true, false]);
  });

  test('if several contacts had the identity, a late record reaches the one that had it at that moment', async () => {
    await create('a', 'y');
    await applyAll();
    const first = passMinute();
    await rename('a', 'b');
    await applyAll();
    passMinute();
    await rename('y', 'a');
    await applyAll();
    const second = passMinute();
    await rename('y', 'c');
    await applyAll();
    const third = passMinute();
    await reportOptOut('a', first.before);
    await applyAll();
    expect([await isOptedOut('b'), await isOptedOut('c'), await awaitedOptOuts()]).toEqual([true, false, []]);
    await reportOptOut('a', second.before);
    await applyAll();
    expect([await isOptedOut('c'), await awaitedOptOuts()]).toEqual([true, []]);
    await reportOptOut('a', third.after);
    await applyAll();
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([['b', 'c', 'a'], ['a']]);
  });

  test('a late record reaches no contact when two contacts gave up the identity at the same time', async () => {
    await create('a', 'y');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await rename('y', 'a');
    await rename('y', 'c');
    await applyAll();
    await reportOptOut('a', before);
    await applyAll();
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([['a'], ['a']]);
  });

  test('a late record stays under the former identity when the contact was deleted since', async () => {
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await applyAll();
    await remove('b');
    await applyAll();
    await reportOptOut('a', before);
    await applyAll();
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([['a'], ['a']]);
  });

  test('a late record reaches a contact that has changed its identity several times', async () => {
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await applyAll();
    const between = passMinute();
    await rename('a', 'c');
    await applyAll();
    await reportOptOut('a', before);
    await reportOptOut('b', between.before);
    await applyAll();
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([['c', 'c'], []]);
    expect(await isOptedOut('c')).toBe(true);
  });

  test('a late record is recognised as a repeat when it was stored under the former identity', async () => {
    await create('a');
    const fields = { id: 'evt-1', occurred_at: moment() };
    await reportOptOut('a', moment(), fields);
    await applyAll();
    passMinute();
    await rename('a', 'b');
    await applyAll();
    await reportOptOut('a', moment(), fields);
    await applyAll();
    expect(await storedIdentities()).toEqual(['b']);
  });

  test('a late record does not reach a contact of another account', async () => {
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await applyAll();
    const mine = account;
    account = await newAccount();
    await create('b');
    await reportOptOut('a', before);
    await applyAll();
    expect([await storedIdentities(), await isOptedOut('b'), await awaitedOptOuts()]).toEqual([['a'], false, ['a']]);
    account = mine;
    expect([await storedIdentities(), await isOptedOut('b')]).toEqual([[], false]);
  });

  test('a late record is refused when the person was erased', async () => {
    await using _worker = service.startWorker();
    await using _jobs = service.startJobs();
    await create('a');
    await service.settled();
    const { before } = passMinute();
    await rename('a', 'b');
    await service.settled();
    const { contact_id: id } = (await contact(account, 'b', 'contact_id'))!;
    const erasure = await account.operator('DELETE', `/contacts/${String(id)}?mode=erase`);
    await finished(account, erasure.body.request_id);
    const late = record({ identity: 'a', activity: 'spam', occurred_at: before });
    const { counts, failures } = await recorded(service, account, [late]);
    expect([counts, failures]).toMatchObject([{ failed: 1 }, [{ code: 'contact_forgotten' }]]);
    expect([await storedIdentities(), await awaitedOptOuts()]).toEqual([[], []]);
  });

  test('a late opt-out is ignored when the contact has re-subscribed to the channel since', async () => {
    await create('a');
    await reportOptOut('a', moment());
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await send('/contact/update', [{ identity: 'b', subscriptions: { sms: true } }]);
    await applyAll();
    await reportOptOut('a', before, { id: 'again' });
    await applyAll();
    expect(await isOptedOut('b')).toBe(false);
  });
});

describe('changes of identity within one batch', () => {
  test('a record that follows a change of identity reaches the contact, even one created in this batch', async () => {
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await create('y');
    await rename('a', 'b');
    await rename('y', 'x');
    await reportOptOut('a', before);
    await reportOptOut('y', before);
    await rename('a', 'c');
    await applyAll();
    expect([(await storedIdentities()).toSorted(), await awaitedOptOuts()]).toEqual([['c', 'x'], []]);
    expect([await isOptedOut('c'), await isOptedOut('x')]).toEqual([true, true]);
  });

  test('all former identities are kept, even those of a contact created in this batch', async () => {
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await create('y');
    for (const name of ['a', 'y']) {
      await rename(name, `${name}1`);
      await rename(name, `${name}2`);
    }
    await applyAll();
    for (const name of ['a', 'a1', 'y', 'y1']) await reportOptOut(name, before);
    await applyAll();
    expect([(await storedIdentities()).toSorted(), await awaitedOptOuts()]).toEqual([['a2', 'a2', 'y2', 'y2'], []]);
  });

  test('the order within a batch decides: a contact may take the identity or be deleted before or after the record', async () => {
    await create('a', 'c', 'e', 'g');
    await applyAll();
    const { before } = passMinute();
    for (const name of ['a', 'c', 'e', 'g']) await rename(name, `${name}1`);
    await applyAll();
    await create('a');
    await reportOptOut('a', before);
    await reportOptOut('c', before);
    await create('c');
    await remove('e1');
    await reportOptOut('e', before);
    await reportOptOut('g', before);
    await remove('g1');
    await applyAll();
    expect([(await storedIdentities()).toSorted(), await awaitedOptOuts()]).toEqual([['a', 'c1', 'e'], ['e']]);
    expect([await isOptedOut('a'), await isOptedOut('c'), await isOptedOut('c1')]).toEqual([true, false, true]);
  });
});

test('a late record does not overwrite the changes that large batches make to the same contact', async () => {
  const others = Array.from({ length: 1500 }, (_, n) => ({ identity: `other-${n}` }));
  const large = (first: object) => send('/contact/create', [first, ...others.slice(0, 999)], 'identified');
  for (let round = 0; round < 3; round++) {
    account = await newAccount();
    await create('a');
    await applyAll();
    const { before } = passMinute();
    await rename('a', 'b');
    await applyAll();
    await large({ identity: 'x' });
    await large({ identity: 'b', attributes: { CITY: 'Ulm' } });
    const records = others.map((other) => record({ ...other, occurred_at: before }));
    const late = record({ identity: 'a', activity: 'spam', occurred_at: before });
    expect((await account.operator('POST', '/activities', { data: [...records, late] })).status).toBe(200);
    await large({ identity: 'y' });
    await large({ identity: 'b', attributes: { FIRST_NAME: 'Asha' } });
    await applyAll();
    expect(await contact(account, 'b', 'CITY', 'FIRST_NAME', 'email_opted_out')).toEqual({
      CITY: 'Ulm',
      FIRST_NAME: 'Asha',
      email_opted_out: true,
    });
    expect((await stored(service, account)).filter((row) => row.contact_key === 'b')).toHaveLength(1);
  }
});
