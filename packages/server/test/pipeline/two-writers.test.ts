import { sql } from 'kysely';
import pino from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { attributeKey } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { withdrawRequest } from '#pipeline/queue/withdraw.ts';
import { isCluster, onSingleServerOnly } from '../support/cluster.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

// Two requests of this size fill a batch. Such a batch is large enough to be written while the
// previous batch is written.
const size = 1000;
// The worker keeps the lane for this long, in milliseconds. If it released the lane while it waits
// for the lock, it would write no second batch. On a busy machine one batch can take a second.
const laneMilliseconds = 60_000;

let account: TestAccount;
let list: number;
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
const service = await forFile(startTestService({ worker: false, log }));
const db = service.context.db;
beforeEach(async () => {
  account = await service.createAccount();
  list = await account.createList('All');
  await create([{ identity: 'blocked@example.com' }]);
  await using _worker = service.startWorker();
  await service.settled();
  lines.length = 0;
});

async function create(contacts: object[]): Promise<string> {
  const answer = await account.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
  expect(answer.status).toBe(200);
  return answer.body.request_id as string;
}
/**
 * Sends a request with 1,000 contacts in the list. The fields of `first` override those of the
 * first contact.
 */
const createMany = (name: string, first: object = {}) =>
  create(
    Array.from({ length: size }, (_, n) => ({
      identity: `${name}-${n}@example.com`,
      audience_details: [{ audience_id: [list], audience_type: 'list' }],
      ...(n === 0 ? first : {}),
    })),
  );
const city = (name: string) => ({ identity: 'blocked@example.com', attributes: { CITY: name } });
const requests = async (ids: string[]) =>
  Promise.all(ids.map(async (id) => (await account.operator('GET', `/requests/${id}`)).body));
const members = async () => (await account.operator('GET', `/lists/${list}`)).body.member_count as number;

const lockContact = (trx: Database) =>
  sql`select from contacts where account_id = ${account.accountId} and contact_key = 'blocked@example.com' for update`.execute(
    trx,
  );

// Other test files use the same PostgreSQL server concurrently. Their tables have the same oids,
// because all databases are copies of one template.
const ofThisDatabase = sql`database = (select oid from pg_database where datname = current_database())`;

/** Returns the number of connections that hold the lane of the account. */
async function holders(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks
    where locktype = 'advisory' and classid = 7001 and objid = ${account.accountId} and granted and ${ofThisDatabase}`.execute(
    db,
  );
  return rows[0]!.count;
}

interface Backend {
  pid: number;
  isWaitingForLock: boolean;
}
/** The server with the contacts of the account. */
const node = async (): Promise<Database> => (await service.context.servers.of(account.accountId)).db;

/** Returns the connections of the worker with a transaction that has changed rows. */
async function writers(): Promise<Backend[]> {
  const { rows } = await sql<Backend>`
    select pid, coalesce(wait_event_type = 'Lock', false) as "isWaitingForLock" from pg_stat_activity
    where datname = current_database() and application_name = 'roster worker'
      and state in ('active', 'idle in transaction') and backend_xid is not null`.execute(await node());
  return rows;
}

/**
 * Sends three batches of two requests each. The first batch is applied. The second batch is
 * blocked, because the test has locked one of its contacts. Calls `then` while the third batch is
 * written next to it, and then releases the lock.
 */
async function whileTwoAreWritten(
  then: (state: { ids: string[]; blocked: number; second: number }) => Promise<void>,
  ofFourth: object = {},
): Promise<string[]> {
  const ids = [
    await createMany('a'),
    await createMany('b'),
    await createMany('c', city('first')),
    await createMany('d', ofFourth),
    await createMany('e'),
    await createMany('f'),
  ];
  await using workers = new AsyncDisposableStack();
  await db.transaction().execute(async (trx) => {
    await lockContact(trx);
    workers.use(service.startWorker(1, laneMilliseconds));
    const both = await vi.waitUntil(
      async () => {
        const found = await writers();
        const blocked = found.find((one) => one.isWaitingForLock);
        const second = found.find((one) => !one.isWaitingForLock);
        return blocked !== undefined && second !== undefined && { blocked: blocked.pid, second: second.pid };
      },
      { timeout: 20_000 },
    );
    await then({ ids, ...both });
  });
  await service.settled();
  return ids;
}

const kill = async (pid: number): Promise<void> => {
  await sql`select pg_terminate_backend(${pid}::int)`.execute(await node());
};

/** Expects that all requests were applied once, and in order. */
async function expectApplied(ids: string[]): Promise<void> {
  const results = await requests(ids);
  expect(results.map(({ status, counts }) => [status, counts.created + counts.updated, counts.failed])).toEqual(
    ids.map(() => ['done', size, 0]),
  );
  const finished = results.map(({ finished_at: at }) => at as string);
  expect(finished).toEqual([...finished].sort());
  expect(await members()).toBe(6 * size);
  const { count } = await db
    .selectFrom('contacts')
    .where('account_id', '=', account.accountId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // The locked contact counts as one of them.
  expect(count).toBe(6 * size);
}

test('two large batches are written concurrently and committed in order', async () => {
  const ids = await whileTwoAreWritten(async ({ ids: [, , , , e, f] }) => {
    expect(await requests([e!, f!])).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }]);
    expect(await members()).toBe(2 * size);
    // On a cluster, the writers have a term instead of the lock.
    expect(await holders()).toBe(isCluster ? 1 : 2);
  });
  await expectApplied(ids);
  expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
});

test.each(['blocked', 'second'] as const)(
  'two batches are applied once and in order when the connection of the %s one breaks',
  async (broken) => {
    await expectApplied(await whileTwoAreWritten((state) => kill(state[broken])));
  },
);

test('two batches are applied once and in order when both connections break', async () => {
  await expectApplied(
    await whileTwoAreWritten(async ({ blocked, second }) => {
      await Promise.all([kill(blocked), kill(second)]);
    }),
  );
});

test('a batch is applied after the previous one, even if a request of the previous batch is withdrawn', async () => {
  const ids = await whileTwoAreWritten(async ({ ids: [, , , d] }) => {
    expect(await withdrawRequest(service.context.pool, account.accountId, d!, service.context.now())).toBe(true);
  });
  const results = await requests(ids);
  expect(results.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'failed', 'done', 'done']);
  expect(await members()).toBe(5 * size);
});

const poison = { attributes: { CITY: 'poison' } };
async function whilePoisonous<T>(work: () => Promise<T>): Promise<T> {
  const key = sql.lit(attributeKey(account.accountId, 5));
  await sql`alter table contacts add constraint poison check (attributes ->> ${key} is distinct from 'poison')`.execute(
    db,
  );
  try {
    return await work();
  } finally {
    await sql`alter table contacts drop constraint poison`.execute(db);
  }
}

test('a batch is applied after the previous one, even if the previous batch fails and is split', async () => {
  const ids = await whilePoisonous(() => whileTwoAreWritten(async () => undefined, poison));
  const results = await requests(ids);
  expect(results[3]).toMatchObject({
    status: 'done',
    counts: { created: size - 1, failed: 1 },
    failures: [{ index: 0, code: 'internal' }],
  });
  expect(results[2]).toMatchObject({ status: 'done', counts: { created: size - 1, updated: 1 } });
  expect(results.slice(4)).toMatchObject([4, 5].map(() => ({ status: 'done', counts: { created: size } })));
  const finished = results.map(({ finished_at: at }) => at as string);
  expect(finished).toEqual([...finished].sort());
  expect(await members()).toBe(6 * size - 1);
});

test('a batch that fails is split only after the previous batch is committed', async () => {
  const ids = await whilePoisonous(async () => {
    const sent = [
      await createMany('a'),
      await createMany('b'),
      await createMany('c', city('first')),
      await createMany('d'),
      await createMany('e', poison),
      await createMany('f'),
    ];
    await using workers = new AsyncDisposableStack();
    await db.transaction().execute(async (trx) => {
      await lockContact(trx);
      workers.use(service.startWorker(1, laneMilliseconds));
      await vi.waitUntil(() => lines.some((line) => line.includes('applying it in halves')), { timeout: 20_000 });
      expect(await requests(sent.slice(2))).toMatchObject(sent.slice(2).map(() => ({ status: 'accepted' })));
      expect(await members()).toBe(2 * size);
    });
    await service.settled();
    return sent;
  });
  const results = await requests(ids);
  expect(results.map(({ counts }) => counts.failed)).toEqual([0, 0, 0, 0, 1, 0]);
  const finished = results.map(({ finished_at: at }) => at as string);
  expect(finished).toEqual([...finished].sort());
  expect(await members()).toBe(6 * size - 1);
});

const lockTest = onSingleServerOnly('a cluster locks the table on one server after the other');
lockTest('a session that waits for an exclusive lock on contacts gets it when a batch is split', async () => {
  // The second batch has locked the table. The first batch, which is split, needs the table again,
  // and must not wait for the session that has asked for the lock since then.
  const ids = await whilePoisonous(async () => {
    let locked: Promise<unknown> | undefined;
    const sent = await whileTwoAreWritten(async () => {
      locked = db.transaction().execute((trx) => sql`lock table contacts in access exclusive mode`.execute(trx));
      locked.catch(() => undefined);
      await vi.waitUntil(
        async () =>
          (
            await sql`select from pg_locks where relation = 'contacts'::regclass and not granted and ${ofThisDatabase}`.execute(
              await node(),
            )
          ).rows.length > 0,
        { timeout: 20_000 },
      );
    }, poison);
    await locked;
    return sent;
  });
  expect((await requests(ids)).map(({ counts }) => counts.failed)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(await members()).toBe(6 * size - 1);
});

test('batches that name the same contact are written one after the other, and no change is lost', async () => {
  const changes = (attributes: object) => ({ identity: 'blocked@example.com', attributes });
  const ids = [
    await createMany('a'),
    await createMany('b'),
    await createMany('c', changes({ CITY: 'Pune' })),
    await createMany('d'),
    await createMany('e', changes({ FIRST_NAME: 'Mina' })),
    await createMany('f'),
    await createMany('g', changes({ LAST_NAME: 'Rao' })),
    await createMany('h'),
  ];
  {
    await using _worker = service.startWorker(1);
    await service.settled();
  }
  expect((await requests(ids)).map(({ counts }) => counts.created + counts.updated)).toEqual(ids.map(() => size));
  const fields = { output: { fields: ['CITY', 'FIRST_NAME', 'LAST_NAME'] } };
  const blocked = [{ condition_details: [{ field: 'identity', operation: 'equals', value: 'blocked@example.com' }] }];
  // A batch that was planned with the old contact would undo the change of another batch.
  expect(await account.rows({ ...fields, filtering_criteria: blocked })).toEqual([
    { CITY: 'Pune', FIRST_NAME: 'Mina', LAST_NAME: 'Rao' },
  ]);
});

test('a worker that stops finishes its running batches, and the next worker continues after them', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    ids.push(await createMany(name, name === 'c' ? city('first') : {}));
  for (let stopped = 0; stopped < 50; stopped++) {
    const worker = service.startWorker(1);
    await vi.waitUntil(async () => (await writers()).length > 0 || (await waiting()) === 0, {
      timeout: 20_000,
      interval: 1,
    });
    await worker[Symbol.asyncDispose]();
    if ((await waiting()) === 0) break;
  }
  await expectApplied(ids);
});

async function waiting(): Promise<number> {
  const { count } = await db
    .selectFrom('request_queue')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
