import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { showShards } from '#platform/database/layout/show-shards.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { estimateFreshSizes } from '#features/index-sizes/estimate-fresh-sizes.ts';
import { maintainIndexSizes, type IndexSizeOptions } from '#features/index-sizes/maintain-index-sizes.ts';
import { countContacts, indexBytes, listContactIndexes, loadSizes } from '#features/index-sizes/size-store.ts';
import { createTestContext } from '../support/context.ts';

const small: IndexSizeOptions = { minBytes: 512 * 1024, growth: 3, reserveBytes: 0 };
const never = new AbortController().signal;

let context: Context;
/** The server with the contacts of account 1, their table there, and its index of attributes. */
let server: AccountServer;
let table: string;
let attributesIndex: string;
let now: Date;
let log: string[];
beforeEach(async () => {
  now = new Date('2026-11-22T10:00:00Z');
  log = [];
  context = await createTestContext({
    now: () => now,
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  });
  const shard = await context.servers.shardOf(1);
  server = shard.server;
  ({ contacts: table } = await shard.tables(['contacts']));
  attributesIndex = table.replace('contacts', 'contacts_attributes');
});
afterEach(() => context[Symbol.asyncDispose]());

const query = async (text: string) => (await server.pool.query(text)).rows;

async function createContacts(count: number): Promise<void> {
  await query(`
    insert into ${table} (account_id, contact_key, contact_id, contact_type, email, attributes, created_at, updated_at)
    select 1, 'p' || n || '@example.com', n, 'identified', 'p' || n || '@example.com',
      jsonb_build_object('1.1', md5(n::text), '1.2', n % 7, '1.3', 'city ' || n % 100), now(), now()
    from generate_series(1, ${count}) n`);
  await settle();
}

/** Gives every contact another value, several times. */
async function rewrite(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await query(
      `update ${table} set attributes = attributes || jsonb_build_object('1.1', md5(contact_key || '${time}'))`,
    );
    await settle();
  }
}

async function settle(): Promise<void> {
  await query(`vacuum analyze ${table}`);
}

const keep = (options: IndexSizeOptions = small, signal = never) => maintainIndexSizes(context, signal, options);
const sizeOf = async (name: string) => (await loadSizes(context.db)).find(({ index_name }) => index_name === name)!;
const rebuilds = async (outcome: string) =>
  (await context.metrics.indexRebuilds.get()).values.find(({ labels }) => labels.outcome === outcome)?.value;
const leftovers = () => query(`select indexrelid from pg_index where not indisvalid`);

describe('an index on values that change often', () => {
  test('is rebuilt after it has grown, and searches still use it', async () => {
    await createContacts(4000);
    await rewrite(12);
    const before = await indexBytes(server.db, attributesIndex);
    await keep();
    const after = await indexBytes(server.db, attributesIndex);

    expect(before).toBeGreaterThan(3 * after);
    expect(await sizeOf(attributesIndex)).toMatchObject({ bytes: after, rebuilt_bytes: after, rebuilt_at: now });
    expect(await rebuilds('completed')).toBe(1);
    expect(await leftovers()).toEqual([]);
    const found = `select count(*)::int as contacts from ${table} where attributes @> '{"1.2": 3}'`;
    const client = await server.pool.connect();
    try {
      await client.query('set enable_seqscan = off');
      expect(JSON.stringify((await client.query(`explain ${found}`)).rows)).toContain(attributesIndex);
      expect((await client.query(found)).rows).toEqual([{ contacts: 572 }]);
    } finally {
      client.release(true);
    }
    const metric = (await context.metrics.indexBytes.get()).values.find(
      ({ labels }) => labels.index === 'contacts_attributes',
    );
    // On a cluster, the metric is the sum of all shards.
    const all = (await loadSizes(context.db)).filter(({ index_name: name }) => name.startsWith('contacts_attributes'));
    expect(metric?.value).toBe(all.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('is not rebuilt while it is about as large as a new index', async () => {
    await createContacts(4000);
    await keep({ ...small, minBytes: 64 * 1024 });
    const { bytes, fresh_bytes, rebuilt_at } = await sizeOf(attributesIndex);
    expect(rebuilt_at).toBeNull();
    expect(bytes).toBeLessThan(3 * fresh_bytes!);
  });

  test('is measured only once an hour', async () => {
    await createContacts(4000);
    await keep();
    const { measured_at: first } = await sizeOf(attributesIndex);
    now = new Date(now.getTime() + 3_599_000);
    await keep();
    expect((await sizeOf(attributesIndex)).measured_at).toEqual(first);
    now = new Date(now.getTime() + 1000);
    await keep();
    expect((await sizeOf(attributesIndex)).measured_at).toEqual(now);
  });

  test.each([
    ['the disk has too little free space', { free: async () => 100_000 }, 'the disk has too little free space'],
    ['the setting allows only smaller indexes', { maxFreshBytes: 100_000 }, 'ROSTER_INDEX_REBUILD_MB'],
    ['the setting switches rebuilding off', { maxFreshBytes: 0 }, 'ROSTER_INDEX_REBUILD_MB'],
  ])('is not rebuilt when %s, and the log and a metric say so', async (_, options, text) => {
    await createContacts(4000);
    await rewrite(12);
    const before = await indexBytes(server.db, attributesIndex);
    await keep({ ...small, ...options });
    expect(await indexBytes(server.db, attributesIndex)).toBe(before);
    expect(await rebuilds('no_space')).toBeGreaterThan(0);
    expect(log.join('')).toContain(text);
  });

  test('is not touched while another worker builds or rebuilds indexes', async () => {
    await createContacts(100);
    const other = await context.pool.connect();
    try {
      await other.query('select pg_advisory_lock($1, 0)', [advisoryLocks.indexBuilder]);
      await keep();
      expect(await loadSizes(context.db)).toEqual([]);
    } finally {
      other.release(true);
    }
  });
});

describe('a rebuild', () => {
  test('allows writes of contacts, ends at once when the worker stops, and is done again later', async () => {
    await createContacts(4000);
    await rewrite(12);
    const other = new pg.Client({ connectionString: server.url });
    await other.connect();
    const stopping = new AbortController();
    try {
      // A rebuild waits for transactions that have written contacts.
      await other.query('begin');
      await other.query(`update ${table} set updated_at = now() where contact_key = 'p1@example.com'`);
      const keeping = keep(small, stopping.signal);
      await expect
        .poll(() =>
          query(
            `select pid from pg_stat_progress_create_index where datname = current_database() and phase like 'waiting%'`,
          ),
        )
        .toHaveLength(1);
      await query(`update ${table} set updated_at = now() where contact_key = 'p2@example.com'`);
      stopping.abort();
      await keeping;
    } finally {
      await other.query('rollback');
      await other.end();
    }
    expect(await leftovers()).toHaveLength(1);
    expect(await rebuilds('failed')).toBe(0);

    // The invalid index is dropped before the next measurement, so that its space is free soon.
    await keep();
    expect(await leftovers()).toEqual([]);
    now = new Date(now.getTime() + 3_600_000);
    await keep();
    expect(await rebuilds('completed')).toBe(1);
    expect(await leftovers()).toEqual([]);
  });
});

test('the estimated size of a new index is 0.7 to 1.6 times its real size', async () => {
  await createContacts(30_000);
  await query(`reindex table ${table}`);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await showShards(client);
  const db = databaseOn(client);
  const indexes = await listContactIndexes(db, table);
  const contacts = await countContacts(db, table);
  expect(contacts).toBe(30_000);
  const large = indexes.filter(({ bytes }) => bytes > 500_000);
  expect(large.map(({ name }) => name)).toContain(attributesIndex);
  const estimated = await estimateFreshSizes(db, table, large, contacts, 6000);
  for (const { name, bytes } of large) {
    expect(estimated.get(name)! / bytes, name).toBeGreaterThan(0.7);
    expect(estimated.get(name)! / bytes, name).toBeLessThan(1.6);
  }
  await client.end();
});
