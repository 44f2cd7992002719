import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import { leaveLane, lockLane, lockSharedRows, shareLane, takeLane, tryLane, type Lane } from '#pipeline/queue/lane.ts';
import { allLanes } from '#pipeline/operations/buckets.ts';
import { createTestContext } from '../support/context.ts';

let context: Context;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context[Symbol.asyncDispose]());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: context.config.databaseUrl! });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
const all = (accountId: number): Lane => ({ accountId, number: allLanes });
const one = (accountId: number, number: number): Lane => ({ accountId, number });
const isFree = (accountId: number) => context.db.transaction().execute((trx) => tryLane(trx, accountId));

test('a lane is free again when every connection that held it has released it', async () => {
  const [first, second, other] = await Promise.all([connect(), connect(), connect()]);
  expect(await takeLane(first, all(1))).toBe(true);
  expect(await shareLane(first, second, all(1))).toBe(true);
  expect(await takeLane(other, all(1))).toBe(false);
  expect(await takeLane(other, all(2))).toBe(true);
  await leaveLane(first, all(1));
  expect(await takeLane(other, all(1))).toBe(false);
  expect(await isFree(1)).toBe(false);
  await leaveLane(second, all(1));
  expect(await isFree(1)).toBe(true);
  expect(await takeLane(other, all(1))).toBe(true);
  await Promise.all([first.end(), second.end(), other.end()]);
});

test('a lane stays taken when one of its connections ends, and is free after the last one ends', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, all(3));
  await shareLane(first, second, all(3));
  await first.end();
  expect(await isFree(3)).toBe(false);
  await second.end();
  await expect.poll(() => isFree(3)).toBe(true);
});

test('up to one of several concurrent connections gets a lane', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  for (let accountId = 10; accountId < 20; accountId++) {
    const taken = await Promise.all(clients.map((client) => takeLane(client, all(accountId))));
    expect(taken.filter(Boolean).length).toBeLessThanOrEqual(1);
    if (!taken.includes(true)) continue;
    await leaveLane(clients[taken.indexOf(true)]!, all(accountId));
    expect(await isFree(accountId)).toBe(true);
  }
  await Promise.all(clients.map((client) => client.end()));
});

test('a lane cannot be shared with another connection while a session waits for it', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, all(4));
  const locked = context.db.transaction().execute((trx) => lockLane(trx, 4));
  // Other test files use the same PostgreSQL server concurrently.
  const waits = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await first.query(waits)).rowCount).toBe(1);
  expect(await shareLane(first, second, all(4))).toBe(false);
  await leaveLane(first, all(4));
  await locked;
  await Promise.all([first.end(), second.end()]);
});

test('a lane cannot be shared after its holder has lost it', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, all(5));
  await first.end();
  await expect(shareLane(first, second, all(5))).rejects.toThrow();
  await second.end();
});

test('different lanes of an account can be held at the same time, but not together with all its lanes', async () => {
  const [first, second, third] = await Promise.all([connect(), connect(), connect()]);
  expect(await takeLane(first, one(6, 1))).toBe(true);
  expect(await takeLane(second, one(6, 1))).toBe(false);
  expect(await takeLane(second, one(6, 2))).toBe(true);
  expect(await takeLane(third, all(6))).toBe(false);
  expect(await isFree(6)).toBe(false);
  await leaveLane(first, one(6, 1));
  expect(await takeLane(third, all(6))).toBe(false);
  await leaveLane(second, one(6, 2));
  expect(await takeLane(third, all(6))).toBe(true);
  expect(await takeLane(first, one(6, 1))).toBe(false);
  await leaveLane(third, all(6));
  expect(await takeLane(first, one(6, 1))).toBe(true);
  await first.end();
  await expect.poll(() => isFree(6)).toBe(true);
  await Promise.all([second.end(), third.end()]);
});

test('a second connection keeps one lane after its first connection has ended', async () => {
  const [first, second, third] = await Promise.all([connect(), connect(), connect()]);
  await takeLane(first, one(7, 3));
  expect(await shareLane(first, second, one(7, 3))).toBe(true);
  await first.end();
  expect(await takeLane(third, one(7, 3))).toBe(false);
  expect(await takeLane(third, all(7))).toBe(false);
  await leaveLane(second, one(7, 3));
  await expect.poll(() => takeLane(third, all(7))).toBe(true);
  await Promise.all([second.end(), third.end()]);
});

test('who waits for all lanes of an account gets them before any lane is taken again', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, one(8, 1));
  const locked = context.db.transaction().execute((trx) => lockLane(trx, 8));
  const waits = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await first.query(waits)).rowCount).toBe(1);
  expect(await takeLane(second, one(8, 2))).toBe(false);
  expect(await shareLane(first, second, one(8, 1))).toBe(false);
  await leaveLane(first, one(8, 1));
  await locked;
  expect(await takeLane(second, one(8, 2))).toBe(true);
  await Promise.all([first.end(), second.end()]);
});

test('up to one kind of lane of an account is taken by concurrent connections', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  for (let accountId = 20; accountId < 40; accountId++) {
    const lanes = clients.map((_, at) => (at % 2 === 0 ? all(accountId) : one(accountId, at)));
    const taken = await Promise.all(clients.map((client, at) => takeLane(client, lanes[at]!)));
    const held = lanes.filter((_, at) => taken[at]);
    expect(held.filter(({ number }) => number === allLanes).length).toBeLessThanOrEqual(1);
    if (held.some(({ number }) => number === allLanes)) expect(held).toHaveLength(1);
    for (const [at, lane] of lanes.entries()) if (taken[at]) await leaveLane(clients[at]!, lane);
    expect(await isFree(accountId)).toBe(true);
  }
  await Promise.all(clients.map((client) => client.end()));
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
