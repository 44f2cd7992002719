import { Faults } from '@roster/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkFields } from '#features/event-subscriptions/rules/contact-fields.ts';
import { partsWithoutRights } from '#features/event-subscriptions/rules/rights-needed.ts';
import { loadSettings } from '#features/event-subscriptions/sending/settings.ts';
import { updateSubscription } from '#features/event-subscriptions/rules/subscriptions.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { allFilterRights, noFilterRights } from '#features/search/rights/filter-rights.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { keep, switchDerived } from '../derived-attributes/support.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import {
  accountWithEvents,
  create,
  eventsAt,
  startSendingService,
  subscribe,
  subscriptionOf,
  update,
  waitForSubscription,
  waitUntilSent,
} from './support.ts';

const service = await forFile(startSendingService());

const opens = 'activity.email.open_30_days';
const lastOpen = 'activity.email.last_open';
const opened = { field: 'activity', operation: 'at_least', value: [1], activity: ['open'] };
const engaged = { field: opens, operation: 'greater_than', value: [0] };
const filterOf = (condition: object) => ({ filtering_criteria: [{ condition_details: [condition] }] });

/** An account with events and derived attributes, in which Ada opened a mail. */
async function derivedAccount(): Promise<TestAccount> {
  const account = await accountWithEvents(service);
  await switchDerived(account, true);
  await keep(service);
  await create(account, { identity: 'ada@example.com' }, { identity: 'bob@example.com' });
  await openMail(account, 'ada@example.com');
  return account;
}

async function openMail(account: TestAccount, identity: string): Promise<string> {
  const at = new Date(service.context.now().getTime() - 60_000).toISOString();
  const data = [{ identity, channel: 'email', activity: 'open', occurred_at: at }];
  expect((await account.operator('POST', '/activities', { data })).status).toBe(200);
  await service.settled();
  return at;
}

/** The stored row of a subscription. */
async function rowOf({ accountId }: TestAccount, id: string) {
  return service.context.db
    .selectFrom('event_subscriptions')
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
}

test('events have derived attributes of their contacts, and are filtered by them', async () => {
  const account = await derivedAccount();
  await using receiver = await startReceiver();
  const filter = filterOf(engaged);
  const fields = ['EMAIL', 'Activity.Email.Last_Open', opens];
  const { subscription_id: id } = await subscribe(account, receiver, { filter, fields });
  expect(await subscriptionOf(account, id)).toMatchObject({ fields, filter });
  await update(
    account,
    { identity: 'ada@example.com', attributes: { CITY: 'Ulm' } },
    { identity: 'bob@example.com', attributes: { CITY: 'Ulm' } },
  );
  await waitUntilSent(service.context, account, id);
  const [event, ...others] = eventsAt(receiver);
  expect(others).toEqual([]);
  expect(event!.contact).toEqual({
    EMAIL: 'ada@example.com',
    'Activity.Email.Last_Open': expect.stringMatching(/^20.*Z$/),
    [opens]: 1,
  });
});

test('a condition on activities chooses the events', async () => {
  const account = await derivedAccount();
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver, { filter: filterOf(opened), fields: ['EMAIL'] });
  await update(
    account,
    { identity: 'bob@example.com', attributes: { CITY: 'Ulm' } },
    { identity: 'ada@example.com', attributes: { CITY: 'Ulm' } },
  );
  await waitUntilSent(service.context, account, id);
  expect(eventsAt(receiver).map(({ contact }) => contact)).toEqual([{ EMAIL: 'ada@example.com' }]);
});

test('an account without derived attributes has none in events, and switching them off pauses', async () => {
  const plain = await accountWithEvents(service);
  const body = { name: 'Engaged', url: 'http://receiver.test:1/', fields: ['EMAIL', lastOpen] };
  expect(await plain.operator('POST', '/event-subscriptions', body)).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'not_supported', field: 'fields[1]' }] },
  });

  const account = await derivedAccount();
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver, { fields: [lastOpen] });
  await switchDerived(account, false);
  await update(account, { identity: 'ada@example.com', attributes: { CITY: 'Ulm' } });
  const { pause } = await waitForSubscription(service.context, account, id, ({ status }) => status === 'paused');
  expect(pause).toMatchObject({
    reason: 'filter_invalid',
    message: expect.stringContaining(`${lastOpen} is a derived attribute, and the account has none`),
  });
  expect(receiver.requests).toEqual([]);
});

test('fields that are derived attributes need activity:read', async () => {
  const { accountId } = await derivedAccount();
  const registry = await loadRegistry(service.context.db, accountId);
  const faults = new Faults();
  checkFields(['EMAIL', lastOpen], registry, false, faults);
  expect(faults.list).toMatchObject([{ code: 'missing_scope', field: 'fields[1]' }]);
  const none = new Faults();
  expect(checkFields(['EMAIL', lastOpen], registry, true, none)).toEqual([
    { name: 'EMAIL', field: 'email' },
    { name: lastOpen, field: lastOpen },
  ]);
  expect(none.list).toEqual([]);
});

// Today, every role that may manage callbacks may see activities. So the rights are given here.
test.each([
  ['fields', { fields: [lastOpen] }],
  ['filter', { filter: filterOf(opened) }],
  ['filter', { filter: filterOf(engaged) }],
] as const)('%s about activities cannot be used or kept without activity:read: %j', async (part, body) => {
  const account = await derivedAccount();
  const { subscription_id: id } = await subscribe(account, { port: 1 }, body);
  const row = await rowOf(account, id);
  const registry = await loadRegistry(service.context.db, account.accountId);
  expect(partsWithoutRights(row, registry, { unmasked: true, activities: false })).toEqual([part]);
  expect(partsWithoutRights(row, registry, { unmasked: false, activities: true })).toEqual([]);
  const key = { accountId: account.accountId, subscriptionId: id };
  const change = (rights: typeof allFilterRights) =>
    updateSubscription(service.context, key, { name: 'Mine' }, { author: 'operator', rights }, async () => {});
  await expect(change(noFilterRights)).rejects.toMatchObject({ faults: [{ code: 'missing_scope', field: part }] });
  expect((await change(allFilterRights)).name).toBe('Mine');
});

test('nothing is sent when the author of a subscription has lost activity:read', async () => {
  const account = await derivedAccount();
  const plain = await subscribe(account, { port: 1 }, { fields: ['EMAIL'] });
  const derived = await subscribe(account, { port: 1 }, { fields: [lastOpen] });
  const filtered = await subscribe(account, { port: 1 }, { filter: filterOf(opened) });
  const { api_key_id: keyId } = (
    await account.operator('POST', '/api-keys', { name: 'Author', scopes: ['activity:read'] })
  ).body;
  const { db } = service.context;
  // No API key can get callbacks:write by the interface, so the test gives it one.
  await sql`update event_subscriptions set author = ${`api-key:${keyId}`} where account_id = ${account.accountId}`.execute(
    db,
  );
  const results = async (...scopes: string[]) => {
    await sql`update api_keys set scopes = ${scopes} where api_key_id = ${keyId}`.execute(db);
    return Promise.all(
      [plain, derived, filtered].map(async ({ subscription_id: id }) => {
        const settings = await loadSettings(service.context, await rowOf(account, id));
        return 'reason' in settings ? settings.reason : 'sent';
      }),
    );
  };
  expect(await results('callbacks:write', 'activity:read')).toEqual(['sent', 'sent', 'sent']);
  expect(await results('callbacks:write')).toEqual(['sent', 'author_rights', 'author_rights']);
  expect(await results('activity:read')).toEqual(['author_rights', 'author_rights', 'author_rights']);
});
