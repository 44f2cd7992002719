import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceIndexes } from '#features/index-sizes/replace-indexes.ts';
import type { Context } from '#platform/context.ts';
import { onEachServer } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';

const never = new AbortController().signal;

let context: Context;
let log: string[];
beforeEach(async () => {
  log = [];
  context = await createTestContext({
    log: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  });
});
afterEach(() => context[Symbol.asyncDispose]());

const query = async (text: string) => (await context.pool.query(text)).rows;

/** Returns the indexes on created_at, with their definitions. */
const indexes = () =>
  query(`
    select c.relname as name, i.indisvalid as valid, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname like 'contacts_created_at%' order by 1`);

/** Makes the indexes of a database with contacts that an earlier version made. */
async function makeEarlierIndexes(): Promise<void> {
  await query('drop index contacts_created_at_block');
  await query('create index contacts_created_at on contacts (account_id, created_at desc, contact_id)');
  await query(`
    insert into contacts (account_id, contact_key, contact_id, contact_type, created_at, updated_at)
    select 1, 'p' || n, n, 'identified', now(), now() from generate_series(1, 100) n`);
}

describe('the index on created_at of an earlier version', () => {
  test('is replaced by the index of a new database', async () => {
    const before = await indexes();
    expect(before).toHaveLength(1);
    await makeEarlierIndexes();
    await replaceIndexes(context, never);
    expect(await indexes()).toEqual(before);
    expect(log.join('')).toContain('replaced an index of contacts');
    // On a cluster, the statistics are on the node with the contacts.
    const statistics = await onEachServer(
      context.config.databaseUrl!,
      `select from pg_statistic where starelid::regclass::text ~ '^contacts_created_at_block(_[0-9]+)?$'`,
    );
    expect(statistics.length).toBeGreaterThan(0);
  });

  test('is replaced after a build was interrupted, which leaves an invalid index', async () => {
    const before = await indexes();
    await makeEarlierIndexes();
    await query('create index contacts_created_at_block on contacts (account_id)');
    await query(`update pg_index set indisvalid = false where indexrelid = 'contacts_created_at_block'::regclass`);
    await replaceIndexes(context, never);
    expect(await indexes()).toEqual(before);
  });

  test('is dropped when the new index was complete before a kill', async () => {
    const before = await indexes();
    await query('create index contacts_created_at on contacts (account_id, created_at desc, contact_id)');
    await replaceIndexes(context, never);
    expect(await indexes()).toEqual(before);
  });

  test('is dropped after a drop was interrupted, which leaves an invalid index', async () => {
    const before = await indexes();
    await query('create index contacts_created_at on contacts (account_id, created_at desc, contact_id)');
    await query(`update pg_index set indisvalid = false where indexrelid = 'contacts_created_at'::regclass`);
    await replaceIndexes(context, never);
    expect(await indexes()).toEqual(before);
  });

  test('stays when the worker is stopped before the build begins', async () => {
    await makeEarlierIndexes();
    const before = await indexes();
    await replaceIndexes(context, AbortSignal.abort());
    expect(await indexes()).toEqual(before);
    await replaceIndexes(context, never);
    expect(await indexes()).not.toEqual(before);
  });

  test('is not touched in a database that has the new one', async () => {
    const before = await indexes();
    await replaceIndexes(context, never);
    expect(await indexes()).toEqual(before);
    expect(log).toEqual([]);
  });
});
