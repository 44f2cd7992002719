import { expect, test } from 'vitest';
import { mergePendingEntries } from '#features/index-sizes/merge-pending-entries.ts';
import { createTestContext } from '../support/context.ts';

test('a worker moves the new entries of GIN indexes out of their pending lists', async () => {
  await using context = await createTestContext();
  const query = async (text: string) => (await context.pool.query<Record<string, unknown>>(text)).rows;
  await query('alter table contacts set (autovacuum_enabled = false)');
  const addContacts = (from: number, to: number) =>
    query(`
      insert into contacts (account_id, contact_key, contact_id, contact_type, attributes, list_ids, created_at, updated_at)
      select 1, n, n, 'identified', jsonb_build_object('1.1', n), array[n % 7], now(), now() from generate_series(${from}, ${to}) n`);
  /** Empties the pending lists, and tells whether there was anything in them. */
  const wasPending = async () =>
    query(
      `select gin_clean_pending_list('contacts_attributes') > 0 as attributes, gin_clean_pending_list('contacts_list_ids') > 0 as lists`,
    );

  await addContacts(1, 500);
  expect(await wasPending()).toEqual([{ attributes: true, lists: true }]);
  await addContacts(501, 1000);
  await mergePendingEntries(context);
  expect(await wasPending()).toEqual([{ attributes: false, lists: false }]);
});
