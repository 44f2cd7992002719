import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import { runRemembered } from '#features/search/remembered-search.ts';
import type { CheckedSearch } from '#features/search/search.ts';
import { isCluster } from '../support/cluster.ts';
import { startTestService, type Answer, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
/** Makes changes that the process is not told about, like another process. */
let db: Context['db'];
beforeAll(async () => {
  service = await startTestService();
  ({ db } = service.context);
});
afterAll(() => service[Symbol.asyncDispose]());

const is = (field: string, value: string | number) => ({ field, operation: 'equals', value: [value] });
const isRed = { filtering_criteria: [{ condition_details: [is('COLOUR', 'Red')] }] };
const isBlue = { filtering_criteria: [{ condition_details: [is('COLOUR', 'Blue')] }] };

let account: TestAccount;
let list: number;
let segment: number;
beforeEach(async () => {
  account = await service.createAccount();
  await account.apply('/client/attribute/create', { data: [{ name: 'COLOUR', data_type: 'text' }] });
  list = (await account.operator('POST', '/lists', { name: 'News' })).body.audience_id;
  segment = (await account.operator('POST', '/segments', { name: 'Colour', ...isRed })).body.audience_id;
  const contacts = ['Red', 'Blue'].map((COLOUR) => ({ identity: `${COLOUR}@example.com`, attributes: { COLOUR } }));
  await account.apply('/contact/create', { data: { contact_type: 'identified', contacts } });
});

const setAttribute = (values: object) =>
  db
    .updateTable('attributes')
    .where('account_id', '=', account.accountId)
    .where('name', '=', 'COLOUR')
    .set(values)
    .execute();

function search(body: object): Promise<Answer> {
  return account.v5('/contact/search', { output: { fields: ['COLOUR'] }, ...body });
}

/** Searches, changes something, and searches again. Returns the second response. */
async function searchAfter(body: object, change: () => Promise<unknown>): Promise<Answer['body']> {
  expect(await search(body)).toMatchObject({ status: 200 });
  await change();
  return (await search(body)).body;
}

describe('a search uses what an account has at this moment', () => {
  test('an attribute that was masked', async () => {
    const body = await searchAfter({}, () => setAttribute({ data_masking: 'full' }));
    expect(body.data).toEqual([{ COLOUR: '****' }, { COLOUR: '****' }]);
  });

  test('an attribute that was renamed', async () => {
    const body = await searchAfter(isRed, () => setAttribute({ name: 'SHADE' }));
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'filtering_criteria[0].condition_details[0].field',
      'output.fields[0]',
    ]);
  });

  test('an attribute that is new', async () => {
    const body = { output: { fields: ['SHADE'] } };
    expect((await search({})).status).toBe(200);
    expect((await search(body)).status).toBe(400);
    await account.apply('/client/attribute/create', { data: [{ name: 'SHADE', data_type: 'text' }] });
    expect((await search(body)).body.data).toEqual([{ SHADE: null }, { SHADE: null }]);
  });

  test('a list that was deleted', async () => {
    const body = { filtering_criteria: [{ condition_details: [is('list_id', list)] }] };
    const after = await searchAfter(body, () => account.operator('DELETE', `/lists/${list}`));
    expect(after.errors).toMatchObject([{ code: 'not_found' }]);
  });

  test('a segment whose filter was changed', async () => {
    const body = { filtering_criteria: [{ condition_details: [is('segment_id', segment)] }] };
    const after = await searchAfter(body, () => account.operator('PATCH', `/segments/${segment}`, isBlue));
    expect(after.data).toEqual([{ COLOUR: 'Blue' }]);
  });

  test('a segment in a segment whose filter was changed', async () => {
    const inSegment = { filtering_criteria: [{ condition_details: [is('segment_id', segment)] }] };
    const { body: outer } = await account.operator('POST', '/segments', { name: 'Outer', ...inSegment });
    const body = { filtering_criteria: [{ condition_details: [is('segment_id', outer.audience_id)] }] };
    const after = await searchAfter(body, () => account.operator('PATCH', `/segments/${segment}`, isBlue));
    expect(after.data).toEqual([{ COLOUR: 'Blue' }]);
  });

  test('the time zone', async () => {
    await account.apply('/client/attribute/create', { data: [{ name: 'SEEN', data_type: 'datetime' }] });
    const seen = { identity: 'Red@example.com', attributes: { SEEN: '2026-03-01T23:00:00Z' } };
    await account.apply('/contact/update', { data: { contacts: [seen] } });
    const body = { filtering_criteria: [{ condition_details: [is('SEEN', '2026-03-02')] }] };
    const after = await searchAfter(body, () => account.operator('PATCH', '', { time_zone: 'Asia/Kolkata' }));
    expect(after.data).toEqual([{ COLOUR: 'Red' }]);
  });

  test('an account does not use what another one has', async () => {
    expect((await search(isRed)).status).toBe(200);
    const other = await service.createAccount();
    const { status, body } = await other.v5('/contact/search', isRed);
    expect([status, body.errors[0].code]).toEqual([400, 'unknown_field']);
  });
});

// On a cluster, the sessions that wait are on the nodes.
test.skipIf(isCluster)('an attribute that is masked while the search runs is masked in its result', async () => {
  expect((await search({})).body.data).toEqual([{ COLOUR: 'Red' }, { COLOUR: 'Blue' }]);
  let answer: Promise<Answer> | undefined;
  let isAnswered = false;
  await db.transaction().execute(async (trx) => {
    // The search reads the contacts, and waits for the attributes.
    await sql`lock table attributes in access exclusive mode`.execute(trx);
    answer = search({});
    void answer.then(() => (isAnswered = true));
    await expect.poll(() => waitingFor('row_to_json(found)')).toBe(1);
    await sleep(100);
    expect(isAnswered).toBe(false);
    await trx
      .updateTable('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'COLOUR')
      .set({ data_masking: 'full' })
      .execute();
  });
  expect((await answer!).body.data).toEqual([{ COLOUR: '****' }, { COLOUR: '****' }]);
});

/** Returns how many sessions wait for a lock in a statement. */
async function waitingFor(text: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(db);
  return rows[0]!.count;
}

describe('running a search that was checked with remembered definitions', () => {
  const remembered = { accountId: 1 } as CheckedSearch;
  const fromNow = { accountId: 2 } as CheckedSearch;

  /** Never ends, except with the reason of the signal. */
  const untilAborted = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

  test('begins before the definitions of now are there, and waits for them', async () => {
    const current = Promise.withResolvers<CheckedSearch>();
    const order: string[] = [];
    const result = runRemembered({ search: remembered, current: current.promise }, async () => order.push('ran'));
    void result.then(() => order.push('ended'));
    await sleep(10);
    expect(order).toEqual(['ran']);
    current.resolve(remembered);
    await result;
    expect(order).toEqual(['ran', 'ended']);
  });

  test('is aborted and repeated if they are others', async () => {
    let aborted = 0;
    const result = await runRemembered(
      { search: remembered, current: Promise.resolve(fromNow) },
      (search, outdated) => {
        if (search === fromNow) return Promise.resolve('now');
        outdated!.addEventListener('abort', () => aborted++);
        return untilAborted(outdated);
      },
    );
    expect([result, aborted]).toEqual(['now', 1]);
  });

  test('fails like the definitions of now, and is aborted', async () => {
    const faulty = new Error('the attribute was deleted');
    let aborted = 0;
    const result = runRemembered({ search: remembered, current: Promise.reject(faulty) }, (_, outdated) => {
      outdated!.addEventListener('abort', () => aborted++);
      return untilAborted(outdated);
    });
    await expect(result).rejects.toBe(faulty);
    expect(aborted).toBe(1);
  });

  test('does not fail because it failed with other definitions', async () => {
    const result = runRemembered({ search: remembered, current: Promise.resolve(fromNow) }, (search) =>
      search === fromNow ? Promise.resolve('now') : Promise.reject(new Error('no such column')),
    );
    expect(await result).toBe('now');
  });

  test('fails if it fails with the definitions of now', async () => {
    const failure = new Error('out of memory');
    const result = runRemembered({ search: remembered, current: Promise.resolve(remembered) }, () =>
      Promise.reject(failure),
    );
    await expect(result).rejects.toBe(failure);
  });
});
