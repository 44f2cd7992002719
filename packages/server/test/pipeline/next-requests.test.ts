import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createContext } from '#app/create-context.ts';
import { createIds } from '#platform/ids.ts';
import { insertRequests, requestsChannel, type NewRequest } from '#pipeline/accept/accept-store.ts';
import { allLanes, lanesPerAccount } from '#pipeline/operations/buckets.ts';
import { encodePayload, type EncodedPayload } from '#pipeline/operations/payload.ts';
import type { WaitingRequest } from '#pipeline/operations/waiting-request.ts';
import { deleteRows, nextRequests, readWaitingLanes } from '#pipeline/queue/batch-store.ts';
import { onSingleServerOnly } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { readTestSeed } from '../support/seed.ts';

const context = await forFile(createTestContext());

const accountId = 1;
const newId = createIds();
const lanes = { accountId, numbers: [allLanes] };

/** A row of the queue: what decides in which batch it is. */
interface Row {
  readonly total?: number;
  readonly bytes?: number;
  readonly isWhole?: boolean;
  readonly attempts?: number;
}

/** Stores requests whose payload is their place in the order. Removes those of earlier tests. */
async function store(rows: readonly Row[]): Promise<void> {
  const { db } = context;
  await db.deleteFrom('request_queue').where('account_id', '=', accountId).execute();
  const requests = rows.map((row, place) => requestOf({ ...row, payload: Buffer.from(JSON.stringify({ place })) }));
  for (let from = 0; from < requests.length; from += 500) await insertRequests(db, requests.slice(from, from + 500));
  for (const [place, { attempts = 0 }] of rows.entries()) {
    if (attempts === 0) continue;
    const { requestId } = requests[place]!;
    await db.updateTable('request_queue').set({ attempts }).where('request_id', '=', requestId).execute();
  }
}

function requestOf(given: Partial<NewRequest>): NewRequest {
  return {
    accountId,
    requestId: newId(),
    operation: 'contact.create',
    payload: Buffer.from('{}'),
    codec: 'json',
    bytes: 10,
    total: 1,
    isWhole: false,
    acceptedAt: new Date('2026-11-26T12:00:00Z'),
    ...given,
  };
}

const next = (except: readonly WaitingRequest[] = []) => nextRequests(context.pool, lanes, except);
const placesOf = (requests: readonly WaitingRequest[]) =>
  requests.map(({ payload }) => (payload.whole() as { place: number }).place);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test.for([0, 1, 99, 100, 101, 2000])('%i requests are one batch, in the order of acceptance', async (count) => {
  await store(Array.from({ length: count }, () => ({})));
  expect(placesOf(await next())).toEqual(range(0, count));
});

test('a batch has at most 2000 requests, and the next one has the others', async () => {
  await store(Array.from({ length: 2350 }, () => ({})));
  const first = await next();
  expect(placesOf(first)).toEqual(range(0, 2000));
  expect(placesOf(await next(first))).toEqual(range(2000, 2350));
});

test('a batch has at most 2000 items and 16 MB, but at least one request', async () => {
  await store([{ total: 2001 }, { total: 1000 }, { total: 1000 }, { total: 1 }]);
  const first = await next();
  expect(placesOf(first)).toEqual([0]);
  expect(placesOf(await next(first))).toEqual([1, 2]);

  const megabyte = 1024 * 1024;
  await store([{ bytes: 17 * megabyte }, { bytes: 8 * megabyte }, { bytes: 8 * megabyte }, { bytes: 1 }]);
  const large = await next();
  expect(placesOf(large)).toEqual([0]);
  expect(placesOf(await next(large))).toEqual([1, 2]);
});

test('a request that is applied as a whole has a batch of its own', async () => {
  await store([{}, {}, { isWhole: true }, {}, {}]);
  const first = await next();
  expect(placesOf(first)).toEqual([0, 1]);
  const whole = await next(first);
  expect(placesOf(whole)).toEqual([2]);
  expect(placesOf(await next([...first, ...whole]))).toEqual([3, 4]);
});

const withHiddenAccounts = onSingleServerOnly('the planner of a cluster must see the account');
withHiddenAccounts('the requests of an account that the planner does not know are found by their ids', async () => {
  const { db, config } = context;
  const id = newId();
  const requests = Array.from({ length: 40 }, () => requestOf({ accountId: 8 }));
  await insertRequests(db, requests);
  // Another account has nearly all requests, and the first one is newer than the statistics.
  for (const [account, count] of [
    [7, 20_000],
    [8, 2000],
  ]) {
    await sql`
      insert into requests (account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at)
      select ${account}::int, (substr(${id}, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, n, 'contact.create', '{}', 'json', 1, now()
      from generate_series(1, ${count}::int) as n`.execute(db);
    if (account === 7) await sql`analyze requests`.execute(db);
  }
  const client = new pg.Client({ connectionString: config.databaseUrl! });
  await client.connect();
  const scans = async () => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query<{ scans: string }>(`
      select sum(idx_scan) as scans from pg_stat_user_indexes join pg_indexes on indexname = indexrelname
      where relname like 'requests\\_%' and indexdef like '%(account_id, seq)'`);
    return Number(rows[0]!.scans);
  };
  try {
    const before = await scans();
    expect(await nextRequests(client, { accountId: 8, numbers: [allLanes] }, [])).toHaveLength(requests.length);
    expect((await scans()) - before).toBe(0);
  } finally {
    await client.end();
    await db.deleteFrom('request_queue').where('account_id', '=', 8).execute();
  }
});

withHiddenAccounts('the rows of an account that the planner does not know are deleted by their keys', async () => {
  const { db, config } = context;
  await store([]);
  // Another account has nearly all rows, and the first one is newer than the statistics.
  for (const [account, count] of [
    [7, 20_000],
    [8, 2000],
  ]) {
    await sql`
      insert into request_queue (account_id, seq, request_id, total, payload_bytes, accepted_at, lane)
      select ${account}::int, n, ${newId()}::uuid, 1, 10, now(), 1 + n % 2 from generate_series(1, ${count}::int) as n`.execute(
      db,
    );
    if (account === 7) await sql`analyze request_queue`.execute(db);
  }
  const rows = Array.from({ length: 40 }, (_, at) => ({ lane: 1 + (at % 2), seq: 1000 + at, part: 0 }));
  const client = new pg.Client({ connectionString: config.databaseUrl! });
  await client.connect();
  const read = async () => {
    await client.query('select pg_stat_force_next_flush()');
    const { rows: read } = await client.query<{ tuples: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as tuples from pg_stat_user_tables where relname = 'request_queue'`,
    );
    return read[0]!.tuples;
  };
  try {
    const before = await read();
    expect(await deleteRows(client, { accountId: 8, numbers: [1, 2] }, rows)).toBe(rows.length);
    expect((await read()) - before).toBeLessThanOrEqual(2 * rows.length);
    expect(await deleteRows(client, { accountId: 8, numbers: [1, 2] }, rows)).toBe(0);
    expect(await deleteRows(client, { accountId: 9, numbers: [1, 2] }, [{ lane: 1, seq: 2, part: 0 }])).toBe(0);
    const { rows: left } = await client.query('select count(*)::int as count from request_queue where account_id = 8');
    expect(left).toEqual([{ count: 1960 }]);
  } finally {
    await client.end();
    await db.deleteFrom('request_queue').where('account_id', 'in', [7, 8]).execute();
  }
});

test('of the lanes of an account, the one that has waited longest is listed first', async () => {
  await store([]);
  for (const number of [9, 2, 16, 1]) await insertRequests(context.db, [requestOf({ lane: number })]);
  const waiting = await readWaitingLanes(context);
  expect(waiting.filter((one) => one.accountId === accountId)).toEqual([
    { accountId, numbers: [9, 2, 16, 1], hasSeveral: true },
  ]);
  await store([]);
});

test('a notification names the lanes with new requests, unless they are too many', async () => {
  const client = new pg.Client({ connectionString: context.config.databaseUrl! });
  const received: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => received.push(payload));
  await client.connect();
  try {
    await client.query(`listen ${pg.escapeIdentifier(requestsChannel)}`);
    const parts = [3, 16].map((number) => ({ lane: number, total: 1, bytes: 5, start: 0, length: 5 }));
    const many = Array.from({ length: 2000 }, (_, index) => requestOf({ accountId: 1000 + index }));
    for (const requests of [
      [requestOf({}), requestOf({}), requestOf({ accountId: 2, lane: 5 })],
      [requestOf({ parts })],
      many,
    ]) {
      await insertRequests(context.db, requests);
    }
    await expect.poll(() => received).toEqual(['1/0 2/5', '1/3 1/16', '']);
  } finally {
    await client.end();
    await context.db.deleteFrom('request_queue').where('account_id', '>', accountId).execute();
  }
});

const row = fc.record({
  total: fc.constantFrom(1, 1, 1, 10, 500, 1500),
  bytes: fc.constantFrom(10, 10, 1_000_000, 9_000_000),
  isWhole: fc.constantFrom(...Array<boolean>(30).fill(false), true),
  attempts: fc.constantFrom(...Array<number>(12).fill(0), 1, 1, 2),
});

test('whatever waits, each request is in one batch, in order, and each batch takes what fits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 150, size: 'max' }), async (rows) => {
      await store(rows);
      const seen: WaitingRequest[] = [];
      for (;;) {
        const batch = await next(seen);
        if (batch.length === 0) break;
        const places = placesOf(batch);
        expect(places).toEqual(range(seen.length, seen.length + batch.length));
        if (places.length > 1) expect(fits(places.map((place) => rows[place]!))).toBe(true);
        seen.push(...batch);
        if (seen.length < rows.length) expect(fits(rows.slice(places[0], seen.length + 1))).toBe(false);
      }
      expect(seen).toHaveLength(rows.length);
    }),
    { seed: readTestSeed(), numRuns: 15 },
  );
});

/** Stores requests that wait in these lanes: whole in one lane, or in parts. Returns their rows in order. */
async function storeInLanes(requests: readonly { readonly lanes: readonly number[]; readonly attempts: number }[]) {
  await store([]);
  const rows = [];
  for (const { lanes: ofRequest, attempts } of requests) {
    const isWhole = ofRequest.length === 1;
    const request = requestOf(isWhole ? { lane: ofRequest[0]!, total: 20 } : await inLanes(ofRequest));
    await insertRequests(context.db, [request]);
    const { requestId } = request;
    if (attempts > 0)
      await context.db.updateTable('request_queue').set({ attempts }).where('request_id', '=', requestId).execute();
    rows.push(...ofRequest.map((lane, at) => ({ requestId, lane, part: isWhole ? 0 : at + 1, attempts })));
  }
  return rows;
}

/** Reads batches until nothing is left. */
async function readAll(numbers: readonly number[]): Promise<WaitingRequest[][]> {
  const batches: WaitingRequest[][] = [];
  for (;;) {
    const batch = await nextRequests(context.pool, { accountId, numbers }, batches.flat());
    if (batch.length === 0) return batches;
    batches.push(batch);
  }
}

test('the holder of several lanes gets the rows of each in order, up to a request for all lanes', async () => {
  const laneNumber = fc.integer({ min: 1, max: lanesPerAccount });
  const request = fc.record({
    lanes: fc.oneof(
      { weight: 20, arbitrary: fc.uniqueArray(laneNumber, { minLength: 2, maxLength: lanesPerAccount }) },
      { weight: 20, arbitrary: laneNumber.map((number) => [number]) },
      { weight: 1, arbitrary: fc.constant([allLanes]) },
    ),
    attempts: fc.constantFrom(...Array<number>(20).fill(0), 1, 1, 2),
  });
  const held = fc.uniqueArray(laneNumber, { minLength: 1, maxLength: lanesPerAccount });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 60, size: 'max' }), held, async (requests, numbers) => {
      const end = requests.findIndex(({ lanes: [first] }) => first === allLanes);
      const rows = await storeInLanes(requests);
      const before = rows.findIndex(({ lane }) => lane === allLanes);
      const due = (end === -1 ? rows : rows.slice(0, before)).filter(({ lane }) => numbers.includes(lane));
      const batches = await readAll(numbers);
      const facts = ({
        requestId,
        lane,
        part,
        attempts,
      }: Pick<WaitingRequest, 'requestId' | 'lane' | 'part' | 'attempts'>) => ({ requestId, lane, part, attempts });
      for (const number of numbers) {
        const inLane = batches.flat().filter(({ lane }) => lane === number);
        expect(inLane.map(facts)).toEqual(due.filter(({ lane }) => lane === number));
      }
      for (const batch of batches) {
        expect(batch.toSorted((a, b) => a.seq - b.seq || a.part - b.part)).toEqual(batch);
        expect(batch.length).toBeLessThanOrEqual(100);
        expect(new Set(batch.map(({ attempts }) => attempts)).size).toBe(1);
        if (batch.length > 1) expect(batch[0]!.attempts).toBeLessThanOrEqual(1);
      }
    }),
    { seed: readTestSeed(), numRuns: 30 },
  );
  await store([]);
});

test('a lane in which many requests wait does not delay the other lanes of its holder', async () => {
  const waiting = Array.from({ length: 300 }, () => ({ lanes: [4], attempts: 0 }));
  await storeInLanes([...waiting, { lanes: [7], attempts: 0 }, { lanes: [2, 7], attempts: 0 }]);
  const [first] = await readAll([2, 4, 7]);
  expect(first).toHaveLength(100);
  expect(first!.filter(({ lane }) => lane !== 4).map(({ lane }) => lane)).toEqual([7, 2, 7]);
  await store([]);
});

test('suspected requests in some lanes do not divide the requests of the others into small batches', async () => {
  const requests = Array.from({ length: 200 }, (_, at) => ({ lanes: [1 + (at % 16)], attempts: (at % 16) % 2 }));
  await storeInLanes(requests);
  const batches = await readAll(Array.from({ length: 16 }, (_, at) => at + 1));
  expect(batches.length).toBeLessThanOrEqual(4);
  await store([]);
});

/** Encodes a payload with one item for each lane. The queue counts 20 items for each. */
async function inLanes(numbers: readonly number[]): Promise<EncodedPayload> {
  const { parts, ...encoded } = await encodePayload({}, () =>
    numbers.map((lane, at) => ({ lane, property: 'contacts', indexes: [at], payload: { contacts: [at] } })),
  );
  return { ...encoded, parts: parts!.map((part) => ({ ...part, total: 20 })) };
}

test('the payload of a request is counted once for all of its parts in a batch', async () => {
  const megabyte = 1024 * 1024;
  await store([]);
  const requests = [];
  for (const bytes of [9, 7, 1]) requests.push(requestOf({ ...(await inLanes([3, 5, 8])), bytes: bytes * megabyte }));
  await insertRequests(context.db, requests);
  const idsOf = (batch: readonly WaitingRequest[]) => batch.map(({ requestId }) => requestId);
  const [first, second, third] = requests.map(({ requestId }) => requestId);

  const batches = await readAll([3, 5, 8]);
  expect(batches.map(idsOf)).toEqual([
    [first, first, first, second, second, second],
    [third, third, third],
  ]);
  expect(batches[0]!.map(({ payload, part }) => payload.part(part))).toEqual(
    [0, 1, 2, 0, 1, 2].map((at) => ({ contacts: [at] })),
  );
  // A lane alone needs the payloads of its requests, too.
  expect((await readAll([5])).map(idsOf)).toEqual([[first, second], [third]]);
  await store([]);
});

/** True when several requests may share a batch. */
function fits(rows: readonly Required<Row>[]): boolean {
  const sum = (key: 'total' | 'bytes') => rows.reduce((total, row) => total + row[key], 0);
  const attempts = new Set(rows.map((row) => row.attempts));
  if (rows.some(({ isWhole }) => isWhole) || attempts.size > 1 || Math.max(...attempts) > 1) return false;
  if (attempts.has(1) && rows.length > 50) return false;
  return sum('total') <= 2000 && sum('bytes') <= 16 * 1024 * 1024;
}

onSingleServerOnly('it reads the plan of one server')(
  'the plan of the waiting lanes that a connection keeps from an empty queue is right for a long one',
  async () => {
    await using worker = createContext(context.config, 'worker');
    await context.db.deleteFrom('request_queue').execute();
    await sql`vacuum analyze request_queue`.execute(context.db);
    // PostgreSQL makes the plan to keep after five others.
    for (let n = 1; n <= 7; n++) expect(await readWaitingLanes(worker)).toEqual([]);
    await sql`
      insert into request_queue (account_id, seq, request_id, total, payload_bytes, accepted_at)
      select 1 + i % 300, i, gen_random_uuid(), 1, 10, now() from generate_series(1, 30000) i`.execute(context.db);
    expect(await readWaitingLanes(worker)).toHaveLength(300);
    const { rows } = await worker.pool.query<{ name: string; kept: boolean }>(`
      select name, generic_plans > 0 as kept from pg_prepared_statements where statement like '%recursive waiting%'`);
    expect(rows).toEqual([{ name: expect.any(String), kept: true }]);
    const plan = await worker.pool.query({
      text: `explain (costs off) execute "${rows[0]!.name}" (1)`,
      rowMode: 'array',
    });
    const steps = plan.rows.flat().join('\n');
    // Whether PostgreSQL reads the index alone depends on whether the vacuum could clean the table.
    expect(steps.match(/Index (Only )?Scan using request_queue_pkey/g)).toHaveLength(2);
    expect(steps).not.toMatch(/Sort|Seq Scan/);
  },
);

onSingleServerOnly('it reads the plans of one server')(
  'the plans that a connection keeps from an empty queue read only the rows that they return',
  async () => {
    await using worker = createContext(context.config, 'worker');
    await context.db.deleteFrom('request_queue').execute();
    await sql`vacuum analyze request_queue`.execute(context.db);
    const parameters = {
      '100 rows of all lanes': `1, 0, '{}', '{}'`,
      '100 rows of lanes': `1, '{2,5}', '{}', '{}'`,
      '100 rows of one lane': `1, 3, '{}', '{}'`,
    };
    const client = await worker.pool.connect();
    try {
      // Otherwise PostgreSQL decides after five executions whether it keeps a plan.
      await client.query('set plan_cache_mode = force_generic_plan');
      for (const numbers of [[allLanes], [2, 5], [3]]) {
        expect(await nextRequests(client, { accountId, numbers }, [])).toEqual([]);
      }
      // In one transaction, so that autovacuum does not count the rows and discard the plans.
      await client.query('begin');
      await client.query(
        `insert into request_queue (account_id, lane, seq, request_id, total, payload_bytes, accepted_at)
         select 1 + i % 3, i % 17, i, gen_random_uuid(), 1, 10, now() from generate_series(1, 30000) i`,
      );
      for (const [name, values] of Object.entries(parameters)) {
        const plan = await client.query({
          text: `explain (analyze, costs off, timing off) execute "${name}" (${values})`,
          rowMode: 'array',
        });
        const steps = plan.rows.flat().join('\n');
        expect(steps).not.toMatch(/Seq Scan|Rows Removed/);
        const read = [...steps.matchAll(/rows=(\d+)/g)].map(([, count]) => Number(count));
        expect(Math.max(...read), steps).toBeLessThanOrEqual(200);
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
  },
);

onSingleServerOnly('it reads the plan of one server')('each payload of a batch is looked up by its id', async () => {
  await using worker = createContext(context.config, 'worker');
  await store(Array.from({ length: 300 }, () => ({})));
  const client = await worker.pool.connect();
  try {
    const statements: pg.QueryConfig[] = [];
    const recording = {
      query: (statement: pg.QueryConfig) => {
        statements.push(statement);
        return client.query(statement);
      },
    };
    expect(await nextRequests(recording as unknown as pg.ClientBase, lanes, [])).toHaveLength(300);
    const { text, values } = statements.at(-1)!;
    const plan = await client.query({ text: `explain (analyze) ${text}`, values: [...values!], rowMode: 'array' });
    const steps = plan.rows.flat().join('\n');
    expect(steps).toMatch(/Index Scan using requests_\w+_pkey .* loops=300/);
    expect(steps).not.toContain('Rows Removed');
  } finally {
    client.release();
    await store([]);
  }
});
