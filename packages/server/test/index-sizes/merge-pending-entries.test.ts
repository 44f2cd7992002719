import { expect, test } from 'vitest';
import { mergePendingEntries } from '#features/index-sizes/merge-pending-entries.ts';
import { onEachServer } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';

test('a worker moves the new entries of GIN indexes out of their pending lists', async () => {
  await using context = await createTestContext();
  const query = async (text: string) => (await context.pool.query<Record<string, unknown>>(text)).rows;
  await query('alter table contacts set (autovacuum_enabled = false)');
  const addContacts = (from: number, to: number) =>
    query(`
      insert into contacts (account_id, contact_key, contact_id, contact_type, attributes, list_ids, created_at, updated_at)
      select 1, n, n, 'identified', jsonb_build_object('1.1', n), array[n % 7], now(), now() from generate_series(${from}, ${to}) n`);
  /** Empties the pending lists on all servers, and returns the indexes with anything in them. */
  const pending = async () => {
    const lists = await onEachServer<{ name: string; pages: number }>(
      context.config.databaseUrl!,
      `select indexrelid::regclass::text as name, gin_clean_pending_list(indexrelid)::int as pages from pg_index
       where indexrelid::regclass::text ~ '^contacts_(attributes|list_ids)(_[0-9]+)?$'`,
    );
    return lists
      .filter(({ pages }) => pages > 0)
      .map(({ name }) => name.replace(/_\d+$/, ''))
      .sort();
  };

  await addContacts(1, 500);
  expect(await pending()).toEqual(['contacts_attributes', 'contacts_list_ids']);
  await addContacts(501, 1000);
  await mergePendingEntries(context);
  expect(await pending()).toEqual([]);
});
