import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { partitionName } from '#features/activities/store/partition-name.ts';
import { monthOf } from '#platform/time/month.ts';
import { endMoves, moveRows, movesOf } from '#features/activities/moves/move-store.ts';
import { createPartitions } from '#features/activities/store/partition-store.ts';
import { awaitedOptOutWrites, loadAwaitedOptOuts } from '#features/contacts/awaited-opt-outs/awaited-opt-out-store.ts';
import { AwaitedOptOuts } from '#features/contacts/awaited-opt-outs/awaited-opt-outs.ts';
import { forgottenKey, hashIdentifier, loadForgotten } from '#features/contacts/forgotten/forgotten-store.ts';
import { formerKeyWrites, loadFormerHolders } from '#features/contacts/former-keys/former-key-store.ts';
import { FormerKeys } from '#features/contacts/former-keys/former-keys.ts';
import { usualTables } from '#features/contacts/model/batch-tables.ts';
import { loadContacts } from '#features/contacts/batch/load.ts';
import { Lookups, type Lookup } from '#features/contacts/model/lookups.ts';
import { writesOf } from '#features/contacts/batch/save.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { loadPending, pendingKeysWrites } from '#features/live-segments/pending/pending-store.ts';
import { sweepStep } from '#features/contacts/sweeps/sweep-store.ts';
import { WorkingSet } from '#features/contacts/batch/working-set.ts';
import type { Context } from '#platform/context.ts';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { identifiersOfOthers } from '#features/people/identifier-store.ts';
import { onSingleServerOnly } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';

const test = onSingleServerOnly('the server that runs the statements counts the rows that they read');

/** The account that the statistics of PostgreSQL know. */
const analysed = { accountId: 1, rows: 20_000 };
/** An account that was filled after the statistics were made. */
const unanalysed = { accountId: 2, rows: 3000 };
const { accountId } = unanalysed;
// Long addresses make the indexes on them deep, so that other indexes look cheaper.
const domain = `@${'x'.repeat(150)}.in`;
const salt = Buffer.alloc(32);
const at = '2026-03-10T00:00:00.000Z';
const month = monthOf(Date.parse(at));
const tables = ['contacts', 'former_keys', 'awaited_opt_outs', 'forgotten', 'activity_moves', partitionName(month)];

let context: Context;
beforeAll(async () => {
  context = await createTestContext();
  const { db } = context;
  await createPartitions(db, [month]);
  for (const table of tables) await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  await fill(db, analysed);
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db);
  await fill(db, unanalysed);
}, 60_000);
afterAll(() => context[Symbol.asyncDispose]());

/**
 * Gives an account this many contacts, and as many rows in the other tables. Half of the contacts
 * have their address only in the key.
 */
async function fill(db: Database, { accountId: account, rows }: typeof analysed): Promise<void> {
  const numbers = sql`generate_series(0, ${rows}::int - 1) as n`;
  const hashes = Array.from({ length: rows }, (_, n) => hashIdentifier(forgottenKey(salt), `email:${n}${domain}`));
  for (const statement of [
    sql`
      insert into contacts (account_id, contact_key, contact_id, email, mobile, contact_type, attributes, created_at, updated_at)
      select ${account}, n || ${domain}, ${account}::int * 100000 + n,
        case when n % 2 = 0 then '' else n || ${domain} end, '9198' || n, 'identified', '{"2.7": 1}', ${at}, ${at}
      from ${numbers}`,
    sql`insert into former_keys select ${account}, ${account}::int * 100000 + n, 'former-' || n, ${at} from ${numbers}`,
    sql`insert into awaited_opt_outs select ${account}, n || ${domain}, 'email', ${at} from ${numbers}`,
    sql`insert into forgotten select ${account}, hash, gen_random_uuid() from unnest(${hashes}::bytea[]) as hash`,
    sql`insert into activity_moves select ${account}, n || ${domain}, 'target-' || n from ${numbers}`,
    sql`
      insert into activities (account_id, channel, activity, occurred_at, contact_key)
      select ${account}, 1, 1, ${at}, n || ${domain} from ${numbers}`,
  ])
    await statement.execute(db);
}

// Some contacts of the account, far from each other.
const wanted = Array.from({ length: 100 }, (_, n) => n * 29);
const keys = wanted.map((n) => `${n}${domain}`);
const ids = wanted.map((n) => accountId * 100_000 + n);
const mobiles = wanted.map((n) => `9198${n}`);
const formerKeys = wanted.map((n) => `former-${n}`);
const targets = wanted.map((n) => `target-${n}`);
const identifiers = keys.map((key) => `email:${key}` as const);

async function load(client: pg.ClientBase, by: Lookup['by'] = 'key'): Promise<WorkingSet> {
  const lookups = new Lookups();
  for (const value of { key: keys, id: ids, email: keys, mobile: mobiles }[by]) lookups.add({ by, value } as Lookup);
  return loadContacts(client, accountId, lookups, { items: wanted.length, tables: usualTables() });
}

/**
 * The work of a transaction so far: index entries and rows read by a sequential scan, and rows
 * written.
 */
async function work(client: pg.ClientBase): Promise<{ read: number; written: number }> {
  const { rows } = await client.query<{ read: number; written: number }>(`
    select sum(pg_stat_get_xact_tuples_returned(oid))::bigint as read,
      sum(pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid))::bigint as written
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`);
  return rows[0]!;
}

/**
 * Expects that `run` finds all wanted rows and reads at most four times as many, not the whole
 * account. `run` returns how many rows it found.
 */
async function expectLookUps(run: (client: pg.ClientBase, contacts: WorkingSet) => Promise<number>): Promise<void> {
  const client = await context.pool.connect();
  try {
    await client.query('begin');
    const contacts = await load(client);
    const before = await work(client);
    expect(await run(client, contacts)).toBe(wanted.length);
    expect((await work(client)).read - before.read).toBeLessThanOrEqual(4 * wanted.length);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Does a change of one statement, and returns how many rows it wrote. */
async function write(client: pg.ClientBase, writes: readonly Write[]): Promise<number> {
  expect(writes).toHaveLength(1);
  const before = await work(client);
  await writes[0]!(client);
  return (await work(client)).written - before.written;
}

test.each(['key', 'id', 'email', 'mobile'] as const)(
  'loading contacts by %s does not scan an account without statistics',
  (by) => expectLookUps(async (client) => (await load(client, by)).all.length),
);

test.each<[string, (contacts: WorkingSet) => Write[]]>([
  [
    'update contacts',
    (contacts) => {
      for (const contact of contacts.all) Object.assign(contact, { changed: true, updatedAt: at });
      return writesOf(accountId, { primaryKey: 'EMAIL', slots: [], tables: usualTables() }, contacts);
    },
  ],
  [
    'delete contacts',
    (contacts) => {
      for (const contact of contacts.all) contacts.delete(contact);
      return writesOf(accountId, { primaryKey: 'EMAIL', slots: [], tables: usualTables() }, contacts);
    },
  ],
  [
    'keep the former identities of contacts',
    (contacts) => {
      const givenUp = new FormerKeys([]);
      for (const contact of contacts.all) givenUp.giveUp(contact, at);
      return formerKeyWrites(accountId, contacts, givenUp);
    },
  ],
  [
    'drop the former identities of deleted contacts',
    (contacts) => {
      for (const contact of contacts.all) contacts.delete(contact);
      return formerKeyWrites(accountId, contacts, new FormerKeys([]));
    },
  ],
  [
    'end awaited opt-outs',
    (contacts) => {
      const awaited = new AwaitedOptOuts(keys.map((key) => ({ key, channel: 'email', occurredAt: at })));
      for (const contact of contacts.all) awaited.apply(contact, undefined, at);
      return awaitedOptOutWrites(accountId, awaited);
    },
  ],
])('a statement to %s does not scan an account without statistics', (_, change) =>
  expectLookUps((client, contacts) => write(client, change(contacts))),
);

test.each<[string, (client: pg.ClientBase) => Promise<{ readonly length: number }>]>([
  ['former identities', (client) => loadFormerHolders(client, accountId, formerKeys)],
  ['awaited opt-outs', (client) => loadAwaitedOptOuts(client, accountId, keys)],
  ['forgotten people', (client) => loadForgotten(client, accountId, salt, identifiers)],
  ['activities to be moved from a contact', (client) => movesOf(databaseOn(client), accountId, keys)],
  ['activities to be moved to a contact', (client) => movesOf(databaseOn(client), accountId, targets)],
  [
    'other holders of identifiers',
    async (client) => {
      const owner = { accountId, primaryKey: 'EMAIL', contactId: -1 };
      return [...new Set(await identifiersOfOthers(databaseOn(client), owner, identifiers))];
    },
  ],
])('finding %s does not scan an account without statistics', (_, find) =>
  expectLookUps(async (client) => (await find(client)).length),
);

test('moving activities does not scan an account without statistics', () =>
  expectLookUps(async (client) => {
    const partition = { name: partitionName(month), month };
    return (await moveRows(databaseOn(client), accountId, keys, partition, 'UTC', 1000)).rows;
  }));

test('ending moves of activities does not scan an account without statistics', () =>
  expectLookUps(async (client) => {
    const trx = databaseOn(client);
    await endMoves(trx, accountId, keys);
    return wanted.length - (await movesOf(trx, accountId, keys)).length;
  }));

test('a step of a sweep does not scan an account without statistics', () =>
  expectLookUps(async (client) => {
    await client.query(
      `insert into sweeps (account_id, sweep_id, kind, target_id, created_at) overriding system value values ($1, 1, 'attribute', 7, $2)`,
      [accountId, at],
    );
    const { last } = await sweepStep(databaseOn(client), accountId, 1, wanted.length);
    return last! - accountId * 100_000 + 1;
  }));

test('noting the contacts whose activities changed does not scan an account without statistics', () =>
  expectLookUps(async (client) => {
    const changed = [{ inputs: ['activity.sent'], keys }];
    for (const write of pendingKeysWrites(accountId, changed, context)) await write(client);
    const [noted] = await loadPending(databaseOn(client), accountId, 1);
    return noted!.contactIds.length;
  }));
