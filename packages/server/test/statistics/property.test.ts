import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { sweepContacts } from '#features/contacts/sweeps/sweep.ts';
import { recountAccounts } from '#features/statistics/recount-upkeep.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { readTestSeed } from '../support/seed.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { compare, expectExactCounts, sums } from './support.ts';

const start = Date.parse('2026-03-28T20:00:00Z');
let now = start;
const service = await forFile(startTestService({ now: () => new Date(now) }));

const { signal } = new AbortController();
const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const name = fc.constantFrom(...names);
const identity = (of: string) => `${of}@example.com`;
const subscriptions = fc.option(
  fc.dictionary(fc.constantFrom('email', 'sms', 'whatsapp'), fc.boolean(), { minKeys: 1, maxKeys: 3 }),
  { nil: undefined },
);
const attributes = fc.dictionary(
  fc.constantFrom('CITY', 'COUNTRY', 'AGE', 'EXTRA'),
  fc.constantFrom('x', 'y', 3, null),
  { maxKeys: 3 },
);
const mobile = fc.constantFrom(undefined, null, '919800000001', '919800000002');

/** One step of a random history of an account. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    type: fc.constantFrom('identified', 'anonymous'),
    contacts: fc.array(fc.record({ name, subscriptions, attributes, mobile }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('update' as const),
    contacts: fc.array(
      fc.record({ name, subscriptions, attributes, mobile, to: fc.option(name, { nil: undefined }) }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  fc.record({ kind: fc.constant('delete' as const), names: fc.array(name, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('activities' as const),
    records: fc.array(
      fc.record({
        name,
        channel: fc.constantFrom('email', 'sms', 'web_push'),
        activity: fc.constantFrom('sent', 'open', 'unsubscribe', 'bounce'),
        hoursAgo: fc.integer({ min: 0, max: 24 * 70 }),
        message_id: fc.constantFrom(undefined, 0, 4711),
        id: fc.constantFrom(undefined, 'one'),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  }),
  fc.record({
    kind: fc.constantFrom('block' as const, 'unblock' as const, 'erase' as const, 'sign up' as const),
    name,
  }),
  fc.record({
    kind: fc.constant('time zone' as const),
    zone: fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Havana'),
  }),
  fc.record({ kind: fc.constant('drop attribute' as const) }),
  fc.record({ kind: fc.constantFrom('upkeep' as const, 'retention' as const) }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 900 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function post(account: TestAccount, path: string, body: object): Promise<void> {
  const { status, body: answer } = await account.v5(path, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
}

/** Sends the requests of a step. They wait, so that a batch has the requests of several steps. */
async function doStep(account: TestAccount, one: Step): Promise<void> {
  switch (one.kind) {
    case 'create':
      return post(account, '/contact/create', {
        data: {
          contact_type: one.type,
          contacts: one.contacts.map(({ name: of, ...rest }) => ({
            ...(one.type === 'anonymous' ? {} : { identity: identity(of) }),
            ...rest,
          })),
        },
      });
    case 'update':
      return post(account, '/contact/update', {
        data: {
          contacts: one.contacts.map(({ name: of, to, ...rest }) => ({
            identity: identity(of),
            ...rest,
            ...(to === undefined ? {} : { email: identity(to) }),
          })),
        },
      });
    case 'delete':
      return post(account, '/contact/delete', {
        data: { contacts: one.names.map((of) => ({ identity: identity(of) })) },
      });
    case 'activities': {
      const data = one.records.map(({ name: of, hoursAgo, ...rest }) => ({
        identity: identity(of),
        occurred_at: new Date(now - hoursAgo * 3_600_000).toISOString(),
        ...rest,
        ...(rest.activity === 'bounce' ? { bounce_type: 'hard' } : {}),
      }));
      expect((await account.operator('POST', '/activities', { data })).status).toBe(200);
      return;
    }
    case 'block':
    case 'unblock':
    case 'erase': {
      await service.settled();
      const condition = { field: 'identity', operation: 'equals', value: identity(one.name) };
      const [found] = await account.rows({
        filtering_criteria: [{ condition_details: [condition] }],
        output: { fields: ['contact_id'] },
      });
      if (found === undefined) return;
      const path = `/contacts/${String(found['contact_id'])}`;
      const { status } = await (one.kind === 'erase'
        ? account.operator('DELETE', `${path}?mode=erase`)
        : account.operator('POST', `${path}/${one.kind}`));
      expect(status).toBe(200);
      return;
    }
    case 'sign up': {
      const { status } = await account.operator('POST', '/sign-ups', { email: identity(one.name) });
      expect([201, 429]).toContain(status);
      return;
    }
    case 'time zone':
      expect((await account.operator('PATCH', '', { time_zone: one.zone })).status).toBe(200);
      return recountAccounts(service.context, signal);
    case 'drop attribute':
      // 400 if the account does not have the attribute now.
      expect([200, 400]).toContain((await account.v5('/client/attribute/delete', { data: ['EXTRA'] })).status);
      return;
    case 'upkeep':
      await sweepContacts(service.context, signal);
      return moveActivities(service.context, signal);
    case 'retention': {
      await service.settled();
      expect((await account.operator('PATCH', '', { settings: { activity_retention_months: 1 } })).status).toBe(200);
      await applyRetention(service.context, signal);
      expect((await account.operator('PATCH', '', { settings: { activity_retention_months: 25 } })).status).toBe(200);
      return;
    }
    case 'wait':
      now += one.minutes * 60_000;
  }
}

test('after any operations, the counts equal a count of the rows', { timeout: caseTimeout }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      now = start;
      const account = await service.createAccount({
        name: 'Counts',
        time_zone: 'Europe/Berlin',
        settings: { auto_create_attributes: true },
      });
      for (const one of steps) await doStep(account, one);
      await service.settled();
      await expectExactCounts(service, account);
      expect(await compare(service, account)).toEqual({ contacts: 0, attributes: 0, activities: 0 });
      const { created = 0, deleted = 0, ...net } = await sums(service, account);
      const types = ['anonymous', 'identified', 'unconfirmed', 'confirmed', 'blacklisted'];
      expect(types.reduce((sum, type) => sum + net[type]!, 0)).toBe(created - deleted);
    }),
    { numRuns: cases(12), seed: readTestSeed() },
  );
});
