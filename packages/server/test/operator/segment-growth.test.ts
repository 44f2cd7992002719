import { SegmentGrowth } from '@roster/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { countSegments } from '#features/audiences/count-segments.ts';
import { storeSegmentCount } from '#features/audiences/growth/segment-count-store.ts';
import { createSearchQueue, type SearchQueue } from '#features/search/search-queue.ts';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let account: TestAccount;
let now = new Date();
const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  now = new Date('2026-08-01T09:00:00.000Z');
  account = await service.createAccount({ name: 'Pune', time_zone: 'Asia/Kolkata' });
});

const { signal: never } = new AbortController();
const count = (context: Context = service.context, signal = never) => countSegments(context, signal);

async function createSegment(of = account): Promise<number> {
  const { body } = await of.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });
  return body.audience_id;
}

const create = (...names: string[]) =>
  account.createContacts(names.map((name) => ({ identity: `${name}@example.com` })));

async function growth(id: number, query = '', of = account) {
  const { status, body } = await of.operator('GET', `/segments/${id}/growth${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expectShape(SegmentGrowth, body);
  return body;
}
const days = async (id: number, of = account): Promise<[string, number][]> =>
  (await growth(id, '', of)).days.map(({ day, contacts }: { day: string; contacts: number }) => [day, contacts]);

const rows = (of = account) =>
  service.context.db
    .selectFrom('segment_counts')
    .where('account_id', '=', of.accountId)
    .selectAll()
    .orderBy('audience_id')
    .execute();

/** Returns the context with a search queue that calls `before` first, with the account. */
function watched(before: (accountId: number) => void | Promise<void>): Context {
  const searches: SearchQueue = {
    ...service.context.searches,
    async run(accountId, signal, search) {
      await before(accountId);
      return service.context.searches.run(accountId, signal, search);
    },
  };
  return { ...service.context, searches };
}

describe('a segment is counted once a day', () => {
  test('when the day begins in the time zone of its account, also when the clocks change', async () => {
    now = new Date('2026-03-07T09:00:00.000Z');
    const other = await service.createAccount({ name: 'New York', time_zone: 'America/New_York' });
    const inPune = await createSegment();
    const inNewYork = await createSegment(other);
    await create('asha', 'ravi');
    const steps: [string, [string, number][], [string, number][]][] = [
      // The segments were created on this day.
      ['2026-03-07T09:01:00Z', [], []],
      ['2026-03-07T18:29:59Z', [], []],
      ['2026-03-07T18:30:00Z', [['2026-03-08', 2]], []],
      ['2026-03-08T04:59:59Z', [['2026-03-08', 2]], []],
      ['2026-03-08T05:00:00Z', [['2026-03-08', 2]], [['2026-03-08', 0]]],
    ];
    for (const [at, pune, newYork] of steps) {
      now = new Date(at);
      await count();
      expect([at, await days(inPune), await days(inNewYork, other)]).toEqual([at, pune, newYork]);
    }
    // The day had 23 hours in New York.
    now = new Date('2026-03-09T03:59:59Z');
    await create('mei');
    await count();
    expect(await days(inNewYork, other)).toHaveLength(1);
    now = new Date('2026-03-09T04:00:00Z');
    await count();
    expect(await days(inNewYork, other)).toEqual([
      ['2026-03-08', 0],
      ['2026-03-09', 0],
    ]);
    expect(await days(inPune)).toEqual([
      ['2026-03-08', 2],
      ['2026-03-09', 3],
    ]);
  });

  test('and not again on the same day, and later if no worker ran when the day began', async () => {
    const id = await createSegment();
    now = new Date('2026-08-04T15:00:00.000Z');
    await create('asha');
    await count();
    await create('ravi');
    await account.operator('PATCH', `/segments/${id}`, { name: 'Everybody', filtering_criteria: [] });
    await account.operator('GET', `/segments/${id}/count`);
    await count();
    expect(await days(id)).toEqual([['2026-08-04', 1]]);
  });

  test('by one worker, and the next run continues after a stop', async () => {
    for (let made = 0; made < 3; made++) await createSegment();
    now = new Date('2026-08-02T09:00:00.000Z');
    const stopping = new AbortController();
    let counted = 0;
    const context = watched((accountId) => {
      if (accountId !== account.accountId) return;
      counted++;
      if (counted === 2) stopping.abort();
    });
    await count(context, stopping.signal);
    expect((await rows()).map(({ audience_id: id }) => id)).toEqual([1]);
    await Promise.all([count(context), count(context)]);
    expect((await rows()).map(({ audience_id: id }) => id)).toEqual([1, 2, 3]);
    // The count that was stopped was repeated, and no other one.
    expect(counted).toBe(4);
  });

  test('in an order in which no account waits for all segments of another', async () => {
    const other = await service.createAccount();
    for (let made = 0; made < 3; made++) await createSegment();
    await createSegment(other);
    now = new Date('2026-08-02T09:00:00.000Z');
    const order: number[] = [];
    await count(watched((accountId) => void order.push(accountId)));
    const [first, second] = [account.accountId, other.accountId];
    expect(order.filter((id) => id === first || id === second)).toEqual([first, second, first, first]);
  });
});

describe('a segment that cannot be counted', () => {
  test('has no number for the day if the count takes too long, and is counted on the next day', async () => {
    const id = await createSegment();
    const { searchServers: servers, servers: control, replicas } = service.context;
    const searches = createSearchQueue({ replicas, servers, control, size: 2, perAccount: undefined, timeout: 100 });
    now = new Date('2026-08-02T09:00:00.000Z');
    await service.context.db.transaction().execute(async (trx) => {
      await sql`lock table contacts`.execute(trx);
      await count({ ...service.context, searches });
    });
    expect(await rows()).toMatchObject([{ audience_id: id, contacts: null }]);
    await count();
    expect(await days(id)).toEqual([]);
    now = new Date('2026-08-03T09:00:00.000Z');
    await count();
    expect(await days(id)).toEqual([['2026-08-03', 0]]);
  });

  test('because the database is busy is counted by a later run, and others do not wait for it', async () => {
    const other = await service.createAccount();
    const ids = [await createSegment(), await createSegment()];
    const afterIt = await createSegment(other);
    now = new Date('2026-08-02T09:00:00.000Z');
    await count(
      watched((accountId) => {
        if (accountId === account.accountId) throw new ApiError('overloaded');
      }),
    );
    expect(await rows()).toEqual([]);
    expect(await days(afterIt, other)).toHaveLength(1);
    await count();
    expect((await rows()).map(({ audience_id: id }) => id)).toEqual(ids);
  });
});

describe('the counts of a segment', () => {
  test('are removed with the segment, and none is stored for it afterwards', async () => {
    const id = await createSegment();
    const kept = await createSegment();
    now = new Date('2026-08-02T09:00:00.000Z');
    await count();
    // Deletes the segment after it was listed, and before it is counted.
    now = new Date('2026-08-03T09:00:00.000Z');
    await count(
      watched(async (accountId) => {
        if (accountId === account.accountId) await account.operator('DELETE', `/segments/${id}`);
      }),
    );
    const of = { accountId: account.accountId, audienceId: id, day: '2026-08-03' };
    await storeSegmentCount(service.context.db, of, 5);
    expect((await rows()).map(({ audience_id: left }) => left)).toEqual([kept, kept]);
    expect((await account.operator('GET', `/segments/${id}/growth`)).status).toBe(404);
  });

  test('are not made for an account that is being deleted', async () => {
    await createSegment();
    await account.operator('DELETE', '?name=Pune');
    now = new Date('2026-08-02T09:00:00.000Z');
    await count();
    expect(await rows()).toEqual([]);
  });

  test('have the wanted days, 30 by default and at most 400', async () => {
    const id = await createSegment();
    for (const day of ['2025-01-01', '2025-06-01', '2026-07-02', '2026-07-03', '2026-08-01']) {
      await storeSegmentCount(service.context.db, { accountId: account.accountId, audienceId: id, day }, 7);
    }
    expect(await growth(id)).toEqual({
      audience_id: id,
      time_zone: 'Asia/Kolkata',
      from: '2026-07-03',
      to: '2026-08-01',
      days: [
        { day: '2026-07-03', contacts: 7 },
        { day: '2026-08-01', contacts: 7 },
      ],
      live_days: [],
    });
    expect(await growth(id, '?from=2026-07-02')).toMatchObject({ to: '2026-08-01', days: [{}, {}, {}] });
    expect(await growth(id, '?from=2025-01-01')).toMatchObject({
      to: '2026-02-04',
      days: [{ day: '2025-01-01' }, { day: '2025-06-01' }],
    });
    expect(await growth(id, '?from=2026-09-01')).toMatchObject({ from: '2026-09-01', to: '2026-09-01', days: [] });
    for (const query of ['from=x', 'from=2026-02-30', 'days=7']) {
      expect((await account.operator('GET', `/segments/${id}/growth?${query}`)).status, query).toBe(400);
    }
  });

  test('are not found for a list or another account, and need the scope segments:read', async () => {
    const id = await createSegment();
    const list = await account.createList('News');
    const other = await service.createAccount();
    expect((await account.operator('GET', `/segments/${list}/growth`)).status).toBe(404);
    expect((await other.operator('GET', `/segments/${id}/growth`)).status).toBe(404);
    expect((await service.operator('GET', `/accounts/900000/segments/${id}/growth`)).status).toBe(404);
    const statusWith = async (scope: string) => {
      const { body } = await account.operator('POST', '/api-keys', { name: 'Reader', scopes: [scope] });
      const url = `/admin/v1/accounts/${account.accountId}/segments/${id}/growth`;
      return (await service.call('GET', url, { headers: { 'api-key': body.api_key } })).status;
    };
    expect([await statusWith('segments:read'), await statusWith('lists:read')]).toEqual([200, 403]);
  });
});
