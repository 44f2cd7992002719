import pg from 'pg';
import { expect, test } from 'vitest';
import {
  areAllLanes,
  beginTerms,
  holdTerms,
  leaveLanes,
  lockLane,
  lockSharedRows,
  shareLanes,
  takeLanes,
  TermOver,
  tryLane,
  type Lanes,
} from '#pipeline/queue/lane.ts';
import { allLanes } from '#pipeline/operations/buckets.ts';
import { clusterSettings } from '#platform/database/layout/cluster/cluster-servers.ts';
import { isCluster } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';

const context = await forFile(createTestContext());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: context.config.databaseUrl! });
  client.on('error', () => undefined);
  await client.connect();
  // As in all connections of the service. Otherwise a lock_timeout does not hold on the nodes.
  for (const [name, value] of Object.entries(isCluster ? clusterSettings : {}))
    await client.query(`set ${name} = ${value}`);
  return client;
}
const all = (accountId: number): Lanes => ({ accountId, numbers: [allLanes] });
const one = (accountId: number, number: number): Lanes => ({ accountId, numbers: [number] });
/** Takes one lane, or all. */
const take = async (client: pg.Client, lanes: Lanes) => (await takeLanes(client, lanes, 1)) !== undefined;
const isFree = (accountId: number) => context.db.transaction().execute((trx) => tryLane(trx, accountId));

test('a lane is free again when every connection that held it has released it', async () => {
  const [first, second, other] = await Promise.all([connect(), connect(), connect()]);
  expect(await take(first, all(1))).toBe(true);
  expect(await shareLanes(first, second, all(1))).toBe(true);
  expect(await take(other, all(1))).toBe(false);
  expect(await take(other, all(2))).toBe(true);
  await leaveLanes(first, all(1));
  expect(await take(other, all(1))).toBe(false);
  expect(await isFree(1)).toBe(false);
  await leaveLanes(second, all(1));
  expect(await isFree(1)).toBe(true);
  expect(await take(other, all(1))).toBe(true);
  await Promise.all([first.end(), second.end(), other.end()]);
});

test('a lane stays taken when one of its connections ends, and is free after the last one ends', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await take(first, all(3));
  await shareLanes(first, second, all(3));
  await first.end();
  expect(await isFree(3)).toBe(false);
  await second.end();
  await expect.poll(() => isFree(3)).toBe(true);
});

test('up to one of several concurrent connections gets a lane', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  for (let accountId = 10; accountId < 20; accountId++) {
    const taken = await Promise.all(clients.map((client) => take(client, all(accountId))));
    expect(taken.filter(Boolean).length).toBeLessThanOrEqual(1);
    if (!taken.includes(true)) continue;
    await leaveLanes(clients[taken.indexOf(true)]!, all(accountId));
    expect(await isFree(accountId)).toBe(true);
  }
  await Promise.all(clients.map((client) => client.end()));
});

test('a lane cannot be shared with another connection while a session waits for it', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await take(first, all(4));
  const locked = context.db.transaction().execute((trx) => lockLane(trx, 4));
  // Other test files use the same PostgreSQL server concurrently.
  const waits = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await first.query(waits)).rowCount).toBe(1);
  expect(await shareLanes(first, second, all(4))).toBe(false);
  await leaveLanes(first, all(4));
  await locked;
  await Promise.all([first.end(), second.end()]);
});

test('a lane cannot be shared after its holder has lost it', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await take(first, all(5));
  await first.end();
  await expect(shareLanes(first, second, all(5))).rejects.toThrow();
  await second.end();
});

test('different lanes of an account can be held at the same time, but not together with all its lanes', async () => {
  const [first, second, third] = await Promise.all([connect(), connect(), connect()]);
  expect(await take(first, one(6, 1))).toBe(true);
  expect(await take(second, one(6, 1))).toBe(false);
  expect(await take(second, one(6, 2))).toBe(true);
  expect(await take(third, all(6))).toBe(false);
  expect(await isFree(6)).toBe(false);
  await leaveLanes(first, one(6, 1));
  expect(await take(third, all(6))).toBe(false);
  await leaveLanes(second, one(6, 2));
  expect(await take(third, all(6))).toBe(true);
  expect(await take(first, one(6, 1))).toBe(false);
  await leaveLanes(third, all(6));
  expect(await take(first, one(6, 1))).toBe(true);
  await first.end();
  await expect.poll(() => isFree(6)).toBe(true);
  await Promise.all([second.end(), third.end()]);
});

test('a second connection keeps one lane after its first connection has ended', async () => {
  const [first, second, third] = await Promise.all([connect(), connect(), connect()]);
  await take(first, one(7, 3));
  expect(await shareLanes(first, second, one(7, 3))).toBe(true);
  await first.end();
  expect(await take(third, one(7, 3))).toBe(false);
  expect(await take(third, all(7))).toBe(false);
  await leaveLanes(second, one(7, 3));
  await expect.poll(() => take(third, all(7))).toBe(true);
  await Promise.all([second.end(), third.end()]);
});

test('who waits for all lanes of an account gets them before any lane is taken again', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await take(first, one(8, 1));
  const locked = context.db.transaction().execute((trx) => lockLane(trx, 8));
  const waits = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await first.query(waits)).rowCount).toBe(1);
  expect(await take(second, one(8, 2))).toBe(false);
  expect(await shareLanes(first, second, one(8, 1))).toBe(false);
  await leaveLanes(first, one(8, 1));
  await locked;
  expect(await take(second, one(8, 2))).toBe(true);
  await Promise.all([first.end(), second.end()]);
});

test('up to one kind of lane of an account is taken by concurrent connections', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  for (let accountId = 20; accountId < 40; accountId++) {
    const lanes = clients.map((_, at) => (at % 2 === 0 ? all(accountId) : one(accountId, at)));
    const taken = await Promise.all(clients.map((client, at) => take(client, lanes[at]!)));
    const held = lanes.filter((_, at) => taken[at]);
    expect(held.filter(areAllLanes).length).toBeLessThanOrEqual(1);
    if (held.some(areAllLanes)) expect(held).toHaveLength(1);
    for (const [at, lane] of lanes.entries()) if (taken[at]) await leaveLanes(clients[at]!, lane);
    expect(await isFree(accountId)).toBe(true);
  }
  await Promise.all(clients.map((client) => client.end()));
});

test('one connection can take several lanes, as many as it wants of those that are free', async () => {
  const [first, second, third] = await Promise.all([connect(), connect(), connect()]);
  const some = (...numbers: number[]): Lanes => ({ accountId: 11, numbers });
  expect(await takeLanes(first, some(7, 2, 9, 4), 2)).toEqual(some(2, 7));
  expect(await takeLanes(second, some(2, 7), 2)).toBeUndefined();
  expect(await takeLanes(second, some(2, 9, 7, 4), 16)).toEqual(some(4, 9));
  expect(await take(third, all(11))).toBe(false);
  await leaveLanes(second, some(4, 9));
  expect(await take(third, all(11))).toBe(false);
  // A second connection keeps all lanes of the first.
  expect(await shareLanes(first, second, some(2, 7))).toBe(true);
  await first.end();
  expect(await takeLanes(third, some(2, 7), 2)).toBeUndefined();
  await leaveLanes(second, some(2, 7));
  await expect.poll(() => take(third, all(11))).toBe(true);
  await Promise.all([second.end(), third.end()]);
});

test('the holder of several lanes on a cluster fails when another holder has begun the term of one of them', async () => {
  const { pool } = context;
  const holder = await connect();
  const holds = async (lanes: Lanes) => {
    await holder.query('begin');
    try {
      await holdTerms(holder, lanes);
      return true;
    } catch (error) {
      if (!(error instanceof TermOver)) throw error;
      return false;
    } finally {
      await holder.query('rollback');
    }
  };
  const several = await beginTerms(pool, { accountId: 12, numbers: [2, 5, 9] });
  const other = await beginTerms(pool, one(12, 3));
  expect([several.terms, other.terms]).toEqual([[1, 1, 1], [1]]);
  expect(await holds(several)).toBe(true);
  expect(await holds(other)).toBe(true);
  const next = await beginTerms(pool, { accountId: 12, numbers: [5, 6] });
  expect(next.terms).toEqual([2, 1]);
  expect(await holds(several)).toBe(false);
  expect(await holds(next)).toBe(true);
  const whole = await beginTerms(pool, all(12));
  expect([await holds(whole), await holds(next), await holds(other)]).toEqual([true, false, false]);
  await beginTerms(pool, one(12, 1));
  expect(await holds(whole)).toBe(false);
  await holder.end();
});

test('only one lane of an account at a time changes the rows that all lanes share', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await first.query('begin');
  await lockSharedRows(first, one(9, 1));
  await second.query(`begin; set local lock_timeout = '50ms'`);
  await expect(lockSharedRows(second, one(9, 2))).rejects.toThrow('lock timeout');
  await second.query('rollback; begin');
  await lockSharedRows(second, one(10, 2));
  await Promise.all([first.end(), second.end()]);
});
