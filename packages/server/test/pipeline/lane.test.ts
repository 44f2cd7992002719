import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import { leaveLane, lockLane, shareLane, takeLane, tryLane } from '#pipeline/worker/lane.ts';
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
const isFree = (accountId: number) => context.db.transaction().execute((trx) => tryLane(trx, accountId));

test('a lane is free again when every connection that held it has released it', async () => {
  const [first, second, other] = await Promise.all([connect(), connect(), connect()]);
  expect(await takeLane(first, 1)).toBe(true);
  expect(await shareLane(first, second, 1)).toBe(true);
  expect(await takeLane(other, 1)).toBe(false);
  expect(await takeLane(other, 2)).toBe(true);
  await leaveLane(first, 1);
  expect(await takeLane(other, 1)).toBe(false);
  expect(await isFree(1)).toBe(false);
  await leaveLane(second, 1);
  expect(await isFree(1)).toBe(true);
  expect(await takeLane(other, 1)).toBe(true);
  await Promise.all([first.end(), second.end(), other.end()]);
});

test('a lane stays taken when one of its connections ends, and is free after the last one ends', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, 3);
  await shareLane(first, second, 3);
  await first.end();
  expect(await isFree(3)).toBe(false);
  await second.end();
  await expect.poll(() => isFree(3)).toBe(true);
});

test('up to one of several concurrent connections gets a lane', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, connect));
  for (let accountId = 10; accountId < 20; accountId++) {
    const taken = await Promise.all(clients.map((client) => takeLane(client, accountId)));
    expect(taken.filter(Boolean).length).toBeLessThanOrEqual(1);
    if (!taken.includes(true)) continue;
    await leaveLane(clients[taken.indexOf(true)]!, accountId);
    expect(await isFree(accountId)).toBe(true);
  }
  await Promise.all(clients.map((client) => client.end()));
});

test('a lane cannot be shared with another connection while a session waits for it', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, 4);
  const locked = context.db.transaction().execute((trx) => lockLane(trx, 4));
  // Other test files use the same PostgreSQL server concurrently.
  const waits = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  await expect.poll(async () => (await first.query(waits)).rowCount).toBe(1);
  expect(await shareLane(first, second, 4)).toBe(false);
  await leaveLane(first, 4);
  await locked;
  await Promise.all([first.end(), second.end()]);
});

test('a lane cannot be shared after its holder has lost it', async () => {
  const [first, second] = await Promise.all([connect(), connect()]);
  await takeLane(first, 5);
  await first.end();
  await expect(shareLane(first, second, 5)).rejects.toThrow();
  await second.end();
});
