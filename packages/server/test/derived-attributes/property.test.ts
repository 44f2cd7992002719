import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { stepSummaries } from '#features/activities/summaries/keep-summaries.ts';
import { requestRebuild } from '#features/accounts/store/summary-state-store.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { readTestSeed } from '../support/seed.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectExact, keep, switchDerived } from './support.ts';

const start = Date.parse('2026-03-28T20:00:00Z');
let now = start;
const service = await forFile(startTestService({ now: () => new Date(now) }));

const { signal } = new AbortController();
const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const name = fc.constantFrom(...names);
const identity = (of: string) => `${of}@example.com`;

/** One step of a random history of an account. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('activities' as const),
      records: fc.array(
        fc.record({
          name,
          channel: fc.constantFrom('email', 'sms', 'web_push'),
          activity: fc.constantFrom('sent', 'delivered', 'open', 'click', 'unsubscribe', 'spam', 'bounce'),
          hoursAgo: fc.oneof(fc.integer({ min: -20, max: 72 }), fc.integer({ min: 0, max: 24 * 120 })),
          id: fc.constantFrom(undefined, 'one'),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  },
  fc.record({ kind: fc.constant('create' as const), names: fc.array(name, { minLength: 1, maxLength: 4 }) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rename' as const),
      pairs: fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 4 }),
    }),
  },
  fc.record({ kind: fc.constant('delete' as const), names: fc.array(name, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('erase' as const), name }),
  fc.record({ kind: fc.constantFrom('moves' as const, 'retention' as const, 'settle' as const, 'rebuild' as const) }),
  fc.record({ kind: fc.constant('switch' as const), isOn: fc.boolean() }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('step' as const), limit: fc.integer({ min: 1, max: 4 }) }) },
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 24 * 40 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Finds the contact_id of an identity after everything sent before is applied. */
async function idOf(account: TestAccount, of: string): Promise<number | undefined> {
  await service.settled();
  const condition = { field: 'identity', operation: 'equals', value: identity(of) };
  const [found] = await account.rows({
    filtering_criteria: [{ condition_details: [condition] }],
    output: { fields: ['contact_id'] },
  });
  return found?.['contact_id'] as number | undefined;
}

/** Sends the requests of a step. They wait, so that a batch has the requests of several steps. */
async function doStep(account: TestAccount, one: Step): Promise<void> {
  switch (one.kind) {
    case 'activities': {
      const data = one.records.map(({ name: of, hoursAgo, ...rest }) => ({
        identity: identity(of),
        occurred_at: new Date(now - hoursAgo * 3_600_000).toISOString(),
        ...rest,
      }));
      expect((await account.operator('POST', '/activities', { data })).status).toBe(200);
      return;
    }
    case 'create': {
      const contacts = one.names.map((of) => ({ identity: identity(of) }));
      const data = { contact_type: 'identified', contacts };
      expect((await account.v5('/contact/create', { data })).status).toBe(200);
      return;
    }
    case 'rename': {
      const contacts = [];
      for (const [from, to] of one.pairs) {
        const id = await idOf(account, from);
        if (id !== undefined) contacts.push({ contact_id: id, identity: identity(to) });
      }
      if (contacts.length > 0) expect((await account.v5('/contact/update', { data: { contacts } })).status).toBe(200);
      return;
    }
    case 'delete': {
      const data = { contacts: one.names.map((of) => ({ identity: identity(of) })) };
      expect((await account.v5('/contact/delete', { data })).status).toBe(200);
      return;
    }
    case 'erase': {
      const id = await idOf(account, one.name);
      if (id !== undefined) expect((await account.operator('DELETE', `/contacts/${id}?mode=erase`)).status).toBe(200);
      return;
    }
    case 'moves':
      return moveActivities(service.context, signal);
    case 'settle':
      return service.settled();
    case 'retention':
      await service.settled();
      expect((await account.operator('PATCH', '', { settings: { activity_retention_months: 1 } })).status).toBe(200);
      return applyRetention(service.context, signal);
    case 'rebuild':
      await service.context.db.transaction().execute((trx) => requestRebuild(trx, account.accountId, new Date(now)));
      return;
    case 'switch':
      return switchDerived(account, one.isOn);
    case 'step':
      return stepSummaries(service.context, account.accountId, { activities: one.limit, summaries: one.limit });
    case 'wait':
      // What was sent before is accepted and applied at its time.
      await service.settled();
      now += one.hours * 3_600_000;
  }
}

test.each([1, 16])(
  'after any operations, the summaries equal what the stored activities give (%i buckets)',
  { timeout: caseTimeout },
  async (buckets) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        now = start;
        const account = await service.createAccount({
          name: 'Summaries',
          time_zone: 'Europe/Berlin',
          settings: { derived_attributes: true, buckets, reject_forgotten_contacts: false },
        });
        for (const one of steps) await doStep(account, one);
        await switchDerived(account, true);
        await service.settled();
        await applyRetention(service.context, signal);
        await keep(service);
        await expectExact(service, account, now);
        // Stays exact, also without the upkeep that rebuilds.
        await doStep(account, {
          kind: 'activities',
          records: names.map((of) => ({ name: of, channel: 'email', activity: 'open', hoursAgo: 1, id: undefined })),
        });
        await service.settled();
        await expectExact(service, account, now);
      }),
      { numRuns: cases(6), seed: readTestSeed() },
    );
  },
);
