import { sql } from 'kysely';
import { expect } from 'vitest';
import { onSingleServerOnly } from '../support/cluster.ts';
import { createTestContext } from '../support/context.ts';

const test = onSingleServerOnly(
  'the coordinator of a cluster has no contacts: upkeep sets the statistics of each shard',
);

test('in a new database, the planner expects contacts, all of one account', async () => {
  await using context = await createTestContext();
  // Building an index on the empty table sets this to 0. A migration that does it must analyze the
  // table again, as 0036_addresses_once.sql does. Otherwise updates compare each contact of a batch
  // with all contacts of the account, until the first autovacuum.
  const { rows } = await sql`
    select reltuples, n_distinct from pg_class, pg_stats
    where oid = 'contacts'::regclass and tablename = 'contacts' and attname = 'account_id'`.execute(context.db);
  expect(rows).toEqual([{ reltuples: 1, n_distinct: 1 }]);
});
