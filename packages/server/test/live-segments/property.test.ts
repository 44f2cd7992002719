import { requestRebuild } from '#features/accounts/store/summary-state-store.ts';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { toStoredFilter } from '#features/search/filter/stored-filter.ts';
import { resolveFilter } from '#features/search/search.ts';
import { setLive } from '#features/live-segments/live-segments.ts';
import { stepLiveSegments } from '#features/live-segments/step.ts';
import { startFilling } from '#features/live-segments/follow-segments.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { keep } from '../derived-attributes/support.ts';
import { createSegment } from '../search/account.ts';
import { filter, now as start } from '../search/arbitraries.ts';
import { createWorld, read } from '../search/world.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { follow, matchesOf, membersOf, replayedMembers } from './support.ts';

const seed = inject('testSeed');

let now = start;
const service = await forFile(startTestService({ now: () => now }));

/** Small steps, so that they end in the middle of everything. */
const small = { changed: 7, filled: 23, read: 31, rest: 0 };

const hour = 3_600_000;
const jumps = [0, 1, 1000, 60_000, hour, 25 * hour, 31 * 24 * hour, 366 * 24 * hour];

const change = fc.record(
  {
    CITY: fc.constantFrom('Pune', 'pune', 'Ulm', 'São Paulo', null),
    NICKNAME: fc.constantFrom('a', 'Ä', 'x%', null),
    AGE: fc.constantFrom(0, 1, 17, 18, 65.5, -3, null),
    VIP: fc.constantFrom(true, false, null),
    BIRTH_DATE: fc.constantFrom('2000-02-29', '1990-03-28', '2026-03-29', '2026-03-01', null),
    LAST_SEEN: fc.constantFrom('2026-03-28T23:29:00Z', '2026-03-29T01:30:00Z', '2026-03-30T00:00:00Z', null),
  },
  { requiredKeys: [] },
);

/** What happens in a round, besides steps. */
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('update' as const), who: fc.nat(), change }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), who: fc.nat(), change }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      who: fc.nat(),
      list: fc.integer({ min: 1, max: 5 }),
      remove: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('opt out' as const), who: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), who: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('activities' as const),
      records: fc.array(
        fc.record({
          who: fc.nat(),
          activity: fc.constantFrom('sent', 'open', 'click', 'unsubscribe'),
          channel: fc.constantFrom('email', 'sms'),
          hoursAgo: fc.constantFrom(-20, 0, 1, 30, 24 * 29, 24 * 31, 24 * 89, 24 * 400, 24 * 700),
          message_id: fc.constantFrom(1, 2, 3),
          msg_name: fc.constantFrom('Spring', 'Summer 100%'),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('new identity' as const), who: fc.nat(), to: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('move' as const, 'retention' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('summaries' as const, 'rebuild' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), jump: fc.constantFrom(...jumps) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('filter' as const), which: fc.nat(), with: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('turn off and on' as const), which: fc.integer({ min: 0, max: 2 }) }),
  },
);

const inLast = (value: string) => ({ when: { operation: 'in_last', value } });
/** Filters by activities and derived attributes, which chance makes too seldom. */
const activityFilters: readonly object[] = [
  [{ field: 'activity', operation: 'at_least', value: 1, activity: 'open', ...inLast('30 days') }],
  [{ field: 'activity', operation: 'never', activity: ['open', 'click'], ...inLast('90 days') }],
  [{ field: 'activity', operation: 'exactly', value: 1, activity: 'sent', channel: 'sms', ...inLast('36 hours') }],
  [{ field: 'activity', operation: 'at_most', value: 2, when: { operation: 'less_than', value: '-1 month' } }],
  [{ field: 'activity', operation: 'at_least', value: 1, message_name: 'Spring' }],
  [{ field: 'activity.open_30_days', operation: 'greater_than', value: 0 }],
  [{ field: 'activity.email.click_90_days', operation: 'equals', value: 0 }],
  [{ field: 'activity.engagement_score', operation: 'between', value: [1, 20] }],
  [{ field: 'activity.last_seen', operation: 'not_in_last', value: '30 days' }],
  [{ field: 'activity.first_seen', operation: 'in_last', value: '36 hours' }],
  [{ field: 'activity.sent_30_days', operation: 'greater_than', value: 0 }],
  [{ field: 'activity.sms.sent_90_days', operation: 'equals', value: [0, 2] }],
  [{ field: 'activity.email.last_sent', operation: 'not_in_last', value: '30 days' }],
  [{ field: 'activity.sms.last_sent', operation: 'in_last', value: '36 hours' }],
].map((condition_details) => ({ filtering_criteria: [{ condition_details }] }));

describe.each([
  ['EMAIL', 'Europe/Berlin', 1],
  ['CUSTOMER_ID', 'Africa/Cairo', 16],
])('in an account with the primary key %s, the time zone %s and %s buckets', (primaryKey, timeZone, buckets) => {
  test(
    'live members are the contacts that match, and the events give the same members',
    { timeout: caseTimeout },
    async () => {
      now = start;
      const { context } = service;
      const world = await createWorld(context, primaryKey, timeZone);
      const { accountId } = world.account;
      const account = await withKey(accountId);
      await account.operator('PATCH', '', { settings: { events: true, buckets } });
      // The contacts of the world were stored without the pipeline.
      await sql`
        insert into contact_numbers (account_id, last_contact_id)
        values (${accountId}, ${world.stored.length})`.execute(context.db);
      // Those of the world are not of its activities.
      await context.db.transaction().execute(async (trx) => requestRebuild(trx, accountId, now));
      await keep(service);
      const random = fc.sample(filter(world.vocabulary), { seed, numRuns: 42 });
      const filters = random.flatMap(({ body }, index) => [
        body,
        ...(index % 3 === 0 ? [activityFilters[index / 3]!] : []),
      ]);
      const stored = async (index: number) => {
        const scope = { accountId, registry: world.account.registry, unmasked: true, activities: true };
        const body = read(filters[index % filters.length]!);
        return toStoredFilter((await resolveFilter({ ...context, now: () => now }, scope, body)).filters[0]!);
      };
      const live = [101, 102, 103, 104, 105, 106, 107, 108];
      for (const id of live) await createSegment(context, accountId, id, await stored(id));
      const turn = async (id: number, on: boolean) =>
        context.db.transaction().execute((trx) => setLive(trx, { accountId, audienceId: id }, on, now));
      for (const id of live) await turn(id, true);
      const identities = world.stored.flatMap(({ identity }) => identity ?? []);
      const identityOf = (who: number) => identities[who % identities.length]!;
      let created = 0;

      async function perform(what: typeof action extends fc.Arbitrary<infer Action> ? Action : never): Promise<void> {
        const send = async (path: string, contacts: object[], rest: object = {}) => {
          const answer = await account.v5(path, { data: { ...rest, contacts } });
          expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        };
        switch (what.kind) {
          case 'update':
            return send('/contact/update', [{ identity: identityOf(what.who), attributes: what.change }]);
          case 'create': {
            const identity = `new${(created += 1)}@example.com`;
            identities.push(identity);
            return send('/contact/create', [{ identity, attributes: what.change }], { contact_type: 'identified' });
          }
          case 'list':
            return send('/contact/update', [
              {
                identity: identityOf(what.who),
                audience_details: [{ audience_id: what.list, action: what.remove ? 'remove' : 'add' }],
              },
            ]);
          case 'opt out':
            return send('/contact/update', [{ identity: identityOf(what.who), subscriptions: { sms: false } }]);
          case 'delete':
            return send('/contact/delete', [{ identity: identityOf(what.who) }]);
          case 'activities': {
            const data = what.records.map(({ who, hoursAgo, ...rest }) => ({
              identity: identityOf(who),
              occurred_at: new Date(now.getTime() - hoursAgo * hour).toISOString(),
              ...rest,
            }));
            const answer = await account.operator('POST', '/activities', { data });
            expect(answer.status, JSON.stringify(answer.body)).toBe(200);
            return;
          }
          case 'new identity': {
            const [from, to] = [identityOf(what.who), `moved${what.to % 5}@example.com`];
            const found = await context.db
              .selectFrom('contacts')
              .where('account_id', '=', accountId)
              .where('contact_key', '=', from)
              .select('contact_id')
              .executeTakeFirst();
            identities.push(to);
            if (found !== undefined) await send('/contact/update', [{ contact_id: found.contact_id, identity: to }]);
            return;
          }
          case 'move':
            return moveActivities(context, new AbortController().signal);
          case 'retention':
            return applyRetention(context, new AbortController().signal);
          case 'summaries':
            return keep(service);
          case 'rebuild':
            await context.db.transaction().execute(async (trx) => requestRebuild(trx, accountId, now));
            return;
          case 'wait':
            now = new Date(now.getTime() + what.jump);
            return;
          case 'filter': {
            const id = live[what.which % live.length]!;
            const changed = JSON.stringify(await stored(what.with));
            await context.db
              .updateTable('audiences')
              .where('account_id', '=', accountId)
              .where('audience_id', '=', id)
              .set({ filter: changed })
              .execute();
            return;
          }
          case 'turn off and on': {
            const id = live[what.which % live.length]!;
            await turn(id, false);
            await turn(id, true);
          }
        }
      }

      await using _second = service.startWorker(3, 50);
      const property = fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        const over = new AbortController();
        const following = Promise.all(
          [0, 1].map(async () => {
            while (!over.signal.aborted) {
              const { waiting } = await stepLiveSegments(context, accountId, small);
              if (waiting) await startFilling(context, accountId);
              await new Promise(setImmediate);
            }
          }),
        );
        for (const one of actions) await perform(one);
        await service.settled();
        over.abort();
        await following;
        // The retention may have deleted activities that the summaries still have.
        await keep(service);
        await follow(context, accountId, small);
        for (const id of live) {
          const matching = await matchesOf(context, accountId, id);
          expect(await membersOf(context, accountId, id), `segment ${id}`).toEqual(matching);
          const { body } = await account.operator('GET', `/segments/${id}`);
          expect(body.live).toMatchObject({ state: 'following', member_count: matching.length, lag_seconds: 0 });
        }
        const members = await replayedMembers(account);
        for (const id of live) {
          expect(members.get(id) ?? [], `events of segment ${id}`).toEqual(await matchesOf(context, accountId, id));
        }
      });
      await fc.assert(property, { numRuns: cases(4), seed, endOnFailure: true });
    },
  );
});

/** Returns an account that was created in the database, with an API key. */
async function withKey(accountId: number): Promise<TestAccount> {
  const scopes = ['contacts:read', 'contacts:write'];
  const { body, status } = await service.operator('POST', `/accounts/${accountId}/api-keys`, { name: 'Test', scopes });
  expect(status, JSON.stringify(body)).toBe(201);
  return service.account(accountId, body.api_key);
}
