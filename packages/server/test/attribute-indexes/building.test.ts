import { beforeEach, describe, expect, test } from 'vitest';
import { maintainIndexes } from '#features/attribute-indexes/maintain-indexes.ts';
import { stepSlots } from '#features/contacts/sweeps/slot-sweep.ts';
import { allLanes } from '#pipeline/operations/buckets.ts';
import { leaveLanes, takeLanes } from '#pipeline/queue/lane.ts';
import { startUpkeep } from '#app/worker/upkeep.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import {
  requestIndex,
  buildIndexes,
  catalogue,
  createIndexes,
  fillSlots,
  openWriter,
  removeIndexes,
  slotsOf,
  statusOf,
} from './support.ts';

let account: TestAccount;
let now = new Date('2026-08-01T09:00:00.000Z');
const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  await removeIndexes(service.context);
  account = await service.createAccount();
  await account.createAttributes([{ name: 'AGE', data_type: 'number' }]);
});

// The system attributes have the numbers 1 to 10.
const city = 5;
const age = 11;
const ageIndexes = ['contacts_number_1'];
const cityIndexes = [
  'contacts_text_1',
  'contacts_text_1_cut',
  'contacts_text_1_folded (statistics)',
  'contacts_text_1_parts',
];

/** Contacts with ages from `from` on. */
const contacts = (from: number, count = 500) =>
  Array.from({ length: count }, (_, n) => ({ identity: `p${from + n}@x.in`, attributes: { AGE: from + n } }));

async function create(from: number, count?: number): Promise<void> {
  const { counts } = await account.createContacts(contacts(from, count));
  expect(counts.failed).toBe(0);
}

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
  expect(await catalogue(service.context)).toEqual([...ageIndexes, ...cityIndexes]);

  expect(await requestIndex(account, age, false)).toBe('none');
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual(cityIndexes);
  expect(await statusOf(account, city)).toBe('ready');
});

test('the worker builds and drops indexes in the background', async () => {
  await using _upkeep = startUpkeep(service.context);
  await requestIndex(account, age, true);
  await expect.poll(async () => statusOf(account, age)).toBe('ready');
  await requestIndex(account, age, false);
  await expect.poll(async () => catalogue(service.context)).toEqual([]);
});

test('all accounts share the indexes of a slot, which are dropped when no account uses them', async () => {
  const other = await service.createAccount();
  await createIndexes(service.context, account, city);
  await createIndexes(service.context, other, city);
  expect(await catalogue(service.context)).toEqual(cityIndexes);
  await requestIndex(other, city, false);
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual(cityIndexes);
  await requestIndex(account, city, false);
  await buildIndexes(service.context);
  expect(await catalogue(service.context)).toEqual([]);
});

describe('an interrupted build of an index', () => {
  test('a build that is stopped ends at once, and is started again later', async () => {
    await requestIndex(account, age, true);
    const stopping = new AbortController();
    await fillSlots(service.context);
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
    expect(await catalogue(service.context)).toEqual(ageIndexes);
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
    expect(await catalogue(service.context)).toEqual(cityIndexes);
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
  await service.context.pool.query(`drop index ${ageIndexes[0]!}`);
  await service.context.pool.query(`create table ${ageIndexes[0]!} ()`);
  await buildIndexes(service.context);
  expect(await statusOf(account, age)).toBe('failed');
  await service.context.pool.query(`drop table ${ageIndexes[0]!}`);
  await requestIndex(account, age, true);
  await buildIndexes(service.context);
  expect(await statusOf(account, age)).toBe('ready');
});

test('an index that cannot be built is shown as failed, does not block other indexes, and is retried after a minute', async () => {
  const { pool } = service.context;
  // A table has the name of the index.
  await pool.query('create table contacts_text_1 ()');
  await createIndexes(service.context, account, city, age);
  expect(await statusOf(account, city)).toBe('failed');
  expect(await statusOf(account, age)).toBe('ready');
  await pool.query('drop table contacts_text_1');
  await buildIndexes(service.context);
  expect(await statusOf(account, city)).toBe('failed');
  now = new Date(now.getTime() + 60_000);
  await buildIndexes(service.context);
  expect(await statusOf(account, city)).toBe('ready');
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
  await create(0);
  const writer = await openWriter(service.context);
  const building = buildIndexes(service.context);
  await untilBuildWaits();
  await create(500);
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

describe('the slot of an indexed attribute', () => {
  /** The values of the slot, by identity, of all contacts that have one. */
  async function slotValues(): Promise<string[]> {
    const rows = await service.context.db
      .selectFrom('contacts')
      .where('account_id', '=', account.accountId)
      .where('number_1', 'is not', null)
      .select(['contact_key', 'number_1'])
      .orderBy('contact_id')
      .execute();
    return rows.map((row) => `${row.contact_key}: ${row.number_1}`);
  }
  const step = async (size: number) => stepSlots(service.context, account.accountId, size);
  const maintain = async () => maintainIndexes(service.context, new AbortController().signal);

  test('is filled step by step, and also has the contacts that are written meanwhile', async () => {
    await create(0, 5);
    await requestIndex(account, age, true);
    await maintain();
    expect(await slotsOf(service.context, account)).toEqual([`number_1: ${age} number filling`]);
    await step(2);
    expect(await slotValues()).toEqual(['p0@x.in: 0', 'p1@x.in: 1']);
    expect(await statusOf(account, age)).toBe('building');
    const update = (identity: string, attributes: object) => account.updateContacts([{ identity, attributes }]);
    await update('p0@x.in', { AGE: null });
    await update('p3@x.in', { AGE: 33 });
    await create(5, 1);
    await step(2);
    await step(2);
    await step(2);
    expect(await slotsOf(service.context, account)).toEqual([`number_1: ${age} number filled`]);
    expect(await slotValues()).toEqual([
      'p0@x.in: NaN',
      'p1@x.in: 1',
      'p2@x.in: 2',
      'p3@x.in: 33',
      'p4@x.in: 4',
      'p5@x.in: 5',
    ]);
    await maintain();
    expect(await statusOf(account, age)).toBe('ready');
  });

  test('is empty before another attribute gets it, and no search reads it while it is cleared', async () => {
    await create(0, 3);
    await createIndexes(service.context, account, age);
    await requestIndex(account, age, false);
    await account.createAttributes([{ name: 'WEIGHT', data_type: 'number' }]);
    await requestIndex(account, 12, true);
    await buildIndexes(service.context);
    // Searches that began earlier can still read the slot, so batches write it.
    await create(3, 1);
    expect(await slotsOf(service.context, account)).toEqual([
      `number_1: ${age} number released`,
      'number_2: 12 number filled',
    ]);
    expect(await slotValues()).toHaveLength(4);
    now = new Date(now.getTime() + 600_000);
    await maintain();
    await create(4, 1);
    expect(await slotsOf(service.context, account)).toContain(`number_1: ${age} number clearing`);
    expect(await slotValues()).toHaveLength(4);
    await buildIndexes(service.context);
    expect(await slotValues()).toEqual([]);
    expect(await slotsOf(service.context, account)).toEqual(['number_2: 12 number filled']);
    await createIndexes(service.context, account, age);
    expect(await slotValues()).toHaveLength(5);
  });

  test('is used again when the index is wanted again before the slot is cleared', async () => {
    await create(0, 3);
    await createIndexes(service.context, account, age);
    await requestIndex(account, age, false);
    expect(await statusOf(account, age)).toBe('none');
    await create(3, 1);
    await requestIndex(account, age, true);
    expect(await statusOf(account, age)).toBe('building');
    await buildIndexes(service.context);
    expect(await slotsOf(service.context, account)).toEqual([`number_1: ${age} number filled`]);
    expect(await statusOf(account, age)).toBe('ready');
    expect(await slotValues()).toHaveLength(4);
  });

  test('of a deleted attribute is cleared, so that no value of it stays', async () => {
    await create(0, 3);
    await createIndexes(service.context, account, age);
    await account.apply('/client/attribute/delete', { data: ['AGE'] });
    await buildIndexes(service.context);
    expect(await slotsOf(service.context, account)).toEqual([`number_1: ${age} number released`]);
    now = new Date(now.getTime() + 600_000);
    await buildIndexes(service.context);
    expect(await slotsOf(service.context, account)).toEqual([]);
    expect(await slotValues()).toEqual([]);
  });

  test('waits for the batch that holds the lane, so that no batch misses it', async () => {
    await requestIndex(account, age, true);
    const holder = await service.context.pool.connect();
    const lanes = { accountId: account.accountId, numbers: [allLanes] };
    // The worker may still have the lane of its last batch.
    await expect.poll(async () => takeLanes(holder, lanes, 1)).toEqual(lanes);
    const maintaining = maintain();
    await expect
      .poll(async () => {
        const { rows } = await service.context.pool.query(
          `select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length;
      })
      .toBe(1);
    expect(await slotsOf(service.context, account)).toEqual([]);
    await leaveLanes(holder, lanes);
    holder.release();
    await maintaining;
    expect(await slotsOf(service.context, account)).toHaveLength(1);
  });
});
