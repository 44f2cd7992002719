import { Faults } from '@roster/contract';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPool, type Database } from '#platform/database/connection/database.ts';
import { dropSummaries, requestSummaries } from '#features/accounts/store/summary-state-store.ts';
import { sweepContacts } from '#features/contacts/sweeps/sweep.ts';
import { createDefinitionsReader, type DefinitionsReader } from '#features/search/load-definitions.ts';
import { checkRemembered, runRemembered, type RememberedSearch } from '#features/search/remembered-search.ts';
import type { SearchQueue } from '#features/search/search-queue.ts';
import { isCluster } from '../support/cluster.ts';
import { startTestService, type Answer, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
/** Makes changes that the process is not told about, like another process. */
let db: Database;
beforeAll(async () => {
  service = await startTestService();
  const { config, log } = service.context;
  const pool = openPool({ url: config.databaseUrl!, name: 'test', size: 2, log });
  db = new Kysely({ dialect: new PostgresDialect({ pool }) });
});
afterAll(async () => {
  await db.destroy();
  await service[Symbol.asyncDispose]();
});

const is = (field: string, value: string | number) => ({ field, operation: 'equals', value: [value] });
const isRed = { filtering_criteria: [{ condition_details: [is('COLOUR', 'Red')] }] };
const isBlue = { filtering_criteria: [{ condition_details: [is('COLOUR', 'Blue')] }] };

let account: TestAccount;
let list: number;
let segment: number;
beforeEach(async () => {
  account = await service.createAccount();
  await account.createAttributes([{ name: 'COLOUR', data_type: 'text' }]);
  list = await account.createList('News');
  segment = (await account.operator('POST', '/segments', { name: 'Colour', ...isRed })).body.audience_id;
  const contacts = ['Red', 'Blue'].map((COLOUR) => ({ identity: `${COLOUR}@example.com`, attributes: { COLOUR } }));
  await account.createContacts(contacts);
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
    await account.createAttributes([{ name: 'SHADE', data_type: 'text' }]);
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
    await account.createAttributes([{ name: 'SEEN', data_type: 'datetime' }]);
    const seen = { identity: 'Red@example.com', attributes: { SEEN: '2026-03-01T23:00:00Z' } };
    await account.updateContacts([seen]);
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
describe.skipIf(isCluster)('while a search waits for the definitions', () => {
  const maskAll = (trx: Database) =>
    trx.updateTable('attributes').where('account_id', '=', account.accountId).set({ data_masking: 'full' }).execute();

  test('an attribute is masked, and its values are not shown', async () => {
    await search({});
    const answer = await whileAttributesAreLocked(() => search({}), maskAll);
    expect(answer.body.data).toEqual([{ COLOUR: '****' }, { COLOUR: '****' }]);
  });

  test('an attribute is masked, and a condition on it is refused', async () => {
    await search(isRed);
    const answer = await whileAttributesAreLocked(() => search(isRed), maskAll);
    expect([answer.status, answer.body.errors[0].code]).toEqual([403, 'missing_scope']);
  });

  test('nothing changes, and the search has its result', async () => {
    await search(isRed);
    let isAnswered = false;
    const answer = await whileAttributesAreLocked(
      () => search(isRed).finally(() => (isAnswered = true)),
      async () => expect(isAnswered).toBe(false),
    );
    expect(answer.body.data).toEqual([{ COLOUR: 'Red' }]);
  });

  test('the removal of a deleted list ends, and the list does not come back', async () => {
    const contact = { identity: 'Red@example.com', audience_details: [{ audience_id: list }] };
    await account.updateContacts([contact]);
    const body = { ...isRed, output: { fields: ['list_id'] } };
    expect((await search(body)).body.data).toEqual([{ list_id: [list] }]);
    await account.operator('DELETE', `/lists/${list}`);
    const answer = await whileAttributesAreLocked(
      () => search(body),
      async () => {
        await sweepContacts(service.context, new AbortController().signal);
        expect(await db.selectFrom('sweeps').selectAll().execute()).toEqual([]);
      },
    );
    expect(answer.body.data).toEqual([{ list_id: [] }]);
  });

  test('its result keeps its turn', async () => {
    const { searches } = service.context;
    await search({});
    let all: Promise<Answer>[] = [];
    await whileAttributesAreLocked(
      () => {
        all = Array.from({ length: 10 }, () => search({}));
        return all[0]!;
      },
      async () => {
        const [running, waiting] = [searches.running, searches.waiting];
        expect(running).toBeGreaterThan(0);
        expect(waiting).toBeGreaterThan(5);
        await sleep(200);
        expect([searches.running, searches.waiting]).toEqual([running, waiting]);
      },
    );
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
    expect([searches.running, searches.waiting]).toEqual([0, 0]);
  });
});

/**
 * Starts a search that reads the contacts, and has to wait for the definitions until `change` is
 * done. Returns its response.
 */
async function whileAttributesAreLocked(
  start: () => Promise<Answer>,
  change: (trx: Database) => Promise<unknown>,
): Promise<Answer> {
  const answer = Promise.withResolvers<Answer>();
  await db.transaction().execute(async (trx) => {
    await sql`lock table attributes in access exclusive mode`.execute(trx);
    start().then(answer.resolve, answer.reject);
    await expect.poll(waitingReads).toBeGreaterThan(0);
    // Time to read the contacts.
    await sleep(100);
    await change(trx);
  });
  return answer.promise;
}

/** Returns how many sessions wait for a lock to read definitions. */
async function waitingReads(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%row_to_json(found)%'`.execute(db);
  return rows[0]!.count;
}

describe('a process', () => {
  const read = async (reader: DefinitionsReader, audienceIds: number[], { accountId } = account) => {
    const { remembered, changed } = reader.read(service.context.pool, accountId, new Set(audienceIds));
    return { remembered, changed: await changed };
  };

  test('remembers what it read the last time', async () => {
    const reader = createDefinitionsReader();
    const first = await read(reader, [list, segment]);
    expect(first.remembered).toBeUndefined();
    expect(first.changed!.registry.find('COLOUR')).toMatchObject({ dataType: 'text' });
    expect(first.changed!.loaded.rows.map((row) => row.audience_id)).toEqual([list, segment]);
    const second = await read(reader, [segment, list]);
    expect(second).toEqual({ remembered: first.changed, changed: undefined });
  });

  test('remembers other audiences, and other accounts, by themselves', async () => {
    const reader = createDefinitionsReader();
    await read(reader, [list]);
    expect((await read(reader, [segment])).remembered).toBeUndefined();
    const other = await service.createAccount();
    expect((await read(reader, [list], other)).remembered).toBeUndefined();
    expect((await read(reader, [list])).remembered!.loaded.rows).toHaveLength(1);
    expect((await read(reader, [list], other)).remembered!.loaded.rows).toEqual([]);
  });

  test('does not remember a text that is too long', async () => {
    const reader = createDefinitionsReader();
    const value = Array.from({ length: 1000 }, (_, at) => `${at}`.padEnd(250, 'x'));
    const condition = { field: 'COLOUR', operation: 'equals', value };
    await account.operator('PATCH', `/segments/${segment}`, {
      filtering_criteria: [{ condition_details: [condition] }],
    });
    await read(reader, [segment]);
    expect(await read(reader, [segment])).toMatchObject({ remembered: undefined, changed: { loaded: { rows: [{}] } } });
  });

  test('sees that an attribute changed and changed back', async () => {
    const reader = createDefinitionsReader();
    const { changed: before } = await read(reader, []);
    await setAttribute({ data_masking: 'full' });
    await setAttribute({ data_masking: 'none' });
    const { changed } = await read(reader, []);
    expect(changed!.registry.attributes).toEqual(before!.registry.attributes);
  });

  test('sees that summaries of activities were dropped and are there again', async () => {
    const reader = createDefinitionsReader();
    const build = async (at: Date) => {
      await requestSummaries(db, account.accountId, at);
      await db.updateTable('activity_summary_states').set({ usable: true, position: null }).execute();
    };
    await build(new Date('2026-01-01T00:00:00Z'));
    const { changed: before } = await read(reader, []);
    await dropSummaries(db, account.accountId, new Date('2026-01-02T00:00:00Z'));
    await build(new Date('2026-01-03T00:00:00Z'));
    const { changed } = await read(reader, []);
    expect([before!.registry.derived, changed!.registry.derived]).toEqual(['ready', 'ready']);
  });
});

describe('a search that was checked with remembered definitions', () => {
  const { signal } = new AbortController();
  const checked = async (): Promise<RememberedSearch> => {
    await search({});
    const { accountId } = account;
    const faults = new Faults();
    const remembered = await checkRemembered(service.context, { accountId }, {}, undefined, faults);
    expect(faults.list).toEqual([]);
    return remembered;
  };

  /** Gives a search turns on these connections, one after the other. */
  function turns(...connections: Database[]) {
    const run: SearchQueue['run'] = (_accountId, _signal, onConnection) => onConnection(connections.shift()!);
    return { run, left: connections };
  }

  const failing = () =>
    db.withPlugin({
      transformQuery() {
        throw new Error('out of memory');
      },
      transformResult: async ({ result }) => result,
    });

  test('takes one turn if nothing changed', async () => {
    const queue = turns(db);
    expect((await runRemembered(queue, await checked(), signal)).rows).toHaveLength(2);
    expect(queue.left).toEqual([]);
  });

  test('takes a second turn if the definitions of now are others, also if the first one failed', async () => {
    const { search: before } = await checked();
    await setAttribute({ data_masking: 'partial' });
    const { current } = await checkRemembered(service.context, account, {}, undefined, new Faults());
    const queue = turns(failing(), db);
    expect((await runRemembered(queue, { search: before, current }, signal)).rows).toHaveLength(2);
    expect(queue.left).toEqual([]);
  });

  test('fails if it failed with the definitions of now', async () => {
    await expect(runRemembered(turns(failing()), await checked(), signal)).rejects.toThrow('out of memory');
  });

  test('fails if the definitions of now cannot be read', async () => {
    const { search: before } = await checked();
    const current = Promise.reject(new Error('no connection'));
    current.catch(() => undefined);
    await expect(runRemembered(turns(db), { search: before, current }, signal)).rejects.toThrow('no connection');
  });
});
