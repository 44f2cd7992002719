import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maintainIndexes } from '#features/attribute-indexes/maintain-indexes.ts';
import { startUpkeep } from '#app/worker/upkeep.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { requestIndex, buildIndexes, catalogue, createIndexes, openWriter, statusOf } from './support.ts';

let service: TestService;
let account: TestAccount;
let now = new Date('2026-08-01T09:00:00.000Z');
beforeAll(async () => {
  service = await startTestService({ now: () => now });
});
beforeEach(async () => {
  // Removes the indexes that earlier tests asked for.
  await service.context.db.updateTable('attributes').set({ indexed: false, index_failed_at: null }).execute();
  await buildIndexes(service.context);
  account = await service.createAccount();
  await account.apply('/client/attribute/create', { data: [{ name: 'AGE', data_type: 'number' }] });
});
afterAll(() => service[Symbol.asyncDispose]());

// The system attributes have the numbers 1 to 10.
const city = 5;
const birthDate = 4;
const age = 11;
const names = (id: number, type: string, ...kinds: string[]) =>
  kinds.map((kind) => `contacts_attribute_${account.accountId}_${id}_${type}_${kind}`);
const ageIndexes = () => names(age, 'number', 'asc', 'desc', 'value (statistics)');
const cityIndexes = () => names(city, 'text', 'asc', 'cut', 'desc', 'start', 'start_value (statistics)');

/** Resolves when an index is being built and waits for a transaction to end. */
async function untilBuildWaits(): Promise<void> {
  await expect.poll(async () => catalogue(service.context)).toContainEqual(expect.stringContaining('(invalid)'));
}

test('a requested index is built, and dropped when it is no longer wanted', async () => {
  expect(await requestIndex(account, age, true)).toBe('building');
  expect(await requestIndex(account, city, true)).toBe('building');
  await buildIndexes(service.context);
  expect(await statusOf(account, age)).toBe('ready');
  expect(await statusOf(account, city)).toBe('ready');
  expect(await catalogue(service.context)).toEqual([...ageIndexes(), ...cityIndexes()].sort());

  expect(await requestIndex(account, age, false)).toBe('none');
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual(cityIndexes());
  expect(await statusOf(account, city)).toBe('ready');
});

test('the worker builds and drops indexes in the background', async () => {
  await using _upkeep = startUpkeep(service.context);
  await requestIndex(account, age, true);
  await expect.poll(async () => statusOf(account, age)).toBe('ready');
  await requestIndex(account, age, false);
  await expect.poll(async () => catalogue(service.context)).toEqual([]);
});

test('each account has indexes of its own', async () => {
  const other = await service.createAccount();
  await createIndexes(service.context, account, city);
  await createIndexes(service.context, other, city);
  expect(await catalogue(service.context)).toHaveLength(2 * cityIndexes().length);
  await requestIndex(other, city, false);
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual(cityIndexes());
});

describe('an interrupted build of an index', () => {
  test('a build that is stopped ends at once, and is started again later', async () => {
    await requestIndex(account, age, true);
    const stopping = new AbortController();
    {
      await using _writer = await openWriter(service.context);
      const building = maintainIndexes(service.context, stopping.signal);
      await untilBuildWaits();
      stopping.abort();
      await building;
    }
    expect(await catalogue(service.context)).toContainEqual(expect.stringContaining('(invalid)'));
    expect(await statusOf(account, age)).toBe('building');
    await buildIndexes(service.context);
    expect(await catalogue(service.context)).toEqual(ageIndexes());
    expect(await statusOf(account, age)).toBe('ready');
  });

  test('a build whose connection is killed is started again', async () => {
    await requestIndex(account, city, true);
    {
      await using _writer = await openWriter(service.context);
      const building = buildIndexes(service.context);
      // The build fails while this test still waits until it can kill the connection.
      building.catch(() => undefined);
      await untilBuildWaits();
      await service.context.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'roster indexes' and datname = current_database()`,
      );
      await expect(building).rejects.toThrow('terminating connection');
    }
    expect(await catalogue(service.context)).toContainEqual(expect.stringContaining('(invalid)'));
    await buildIndexes(service.context);
    expect(await catalogue(service.context)).toEqual(cityIndexes());
    expect(await statusOf(account, city)).toBe('ready');
  });

  test('a build that the operator cancels is not finished', async () => {
    await requestIndex(account, age, true);
    {
      await using _writer = await openWriter(service.context);
      const building = buildIndexes(service.context);
      await untilBuildWaits();
      await requestIndex(account, age, false);
      await _writer[Symbol.asyncDispose]();
      await building;
    }
    expect(await catalogue(service.context)).toEqual([]);
    expect(await statusOf(account, age)).toBe('none');
  });
});

test('a dropped index whose name is taken is shown as failed, and is built again on request', async () => {
  await createIndexes(service.context, account, age);
  await service.context.pool.query(`drop index ${ageIndexes()[0]!}`);
  await service.context.pool.query(`create table ${ageIndexes()[0]!} ()`);
  await buildIndexes(service.context);
  expect(await statusOf(account, age)).toBe('failed');
  await service.context.pool.query(`drop table ${ageIndexes()[0]!}`);
  await requestIndex(account, age, true);
  await buildIndexes(service.context);
  expect(await statusOf(account, age)).toBe('ready');
});

test('an index that cannot be built is shown as failed, does not block other indexes, and is retried after a minute', async () => {
  const { pool } = service.context;
  // A table has the name of the index.
  await pool.query(`create table ${names(birthDate, 'text', 'asc')[0]!} ()`);
  await createIndexes(service.context, account, birthDate, age);
  expect(await statusOf(account, birthDate)).toBe('failed');
  expect(await statusOf(account, age)).toBe('ready');
  await pool.query(`drop table ${names(birthDate, 'text', 'asc')[0]!}`);
  await buildIndexes(service.context);
  expect(await statusOf(account, birthDate)).toBe('failed');
  now = new Date(now.getTime() + 60_000);
  await buildIndexes(service.context);
  expect(await statusOf(account, birthDate)).toBe('ready');
});

test('only one worker builds at a time, and other workers do not wait for it', async () => {
  await requestIndex(account, age, true);
  const writer = await openWriter(service.context);
  const building = buildIndexes(service.context);
  await untilBuildWaits();
  await buildIndexes(service.context);
  expect(await statusOf(account, age)).toBe('building');
  await writer[Symbol.asyncDispose]();
  await building;
  expect(await statusOf(account, age)).toBe('ready');
});

test('contacts can be written, searched and deleted while an index is built, and the index contains them', async () => {
  await requestIndex(account, age, true);
  const contacts = (from: number) =>
    Array.from({ length: 500 }, (_, n) => ({ identity: `p${from + n}@x.in`, attributes: { AGE: from + n } }));
  const create = async (from: number) =>
    account.apply('/contact/create', { data: { contact_type: 'identified', contacts: contacts(from) } });
  await create(0);
  const writer = await openWriter(service.context);
  const building = buildIndexes(service.context);
  await untilBuildWaits();
  expect((await create(500)).counts.created).toBe(500);
  const gone = { data: { contacts: [{ identity: 'p7@x.in' }] } };
  expect((await account.apply('/contact/delete', gone)).counts.deleted).toBe(1);
  const sorted = { output: { fields: ['AGE'], sorting: [{ field: 'AGE' }], pagination: { limit: 1000 } } };
  const before = await account.rows(sorted);
  await writer[Symbol.asyncDispose]();
  await building;
  expect(await statusOf(account, age)).toBe('ready');
  expect(before).toHaveLength(999);
  expect(await account.rows(sorted)).toEqual(before);
});
