import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContacts } from '../../src/contacts/load.ts';
import { Lookups } from '../../src/contacts/lookups.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const known = 500;
const emails = Array.from({ length: known }, (_, n) => `new-${n}@example.com`);

let service: TestService;
let account: TestAccount;
/** An account that is younger than the statistics, which say that all contacts belong to another one. */
beforeAll(async () => {
  service = await startTestService();
  account = await service.createAccount({ name: 'New' });
  await addContacts(service.first, 20_000, 'old');
  await sql`analyze contacts`.execute(service.context.db);
  await addContacts(account, known, 'new');
});
afterAll(() => service[Symbol.asyncDispose]());

async function addContacts({ accountId }: TestAccount, count: number, name: string): Promise<void> {
  await sql`
    insert into contacts (account_id, contact_key, email, mobile, contact_type, created_at, updated_at)
    select ${accountId}, address, address, '9198' || n, 'identified', now(), now()
    from (select n, ${name} || '-' || n || '@example.com' as address from generate_series(0, ${count}::int - 1) as n) as one`.execute(
    service.context.db,
  );
}

/** Rows of the table that a look-up has read. */
async function rowsRead(lookups: Lookups): Promise<number> {
  const client = await service.context.pool.connect();
  const read = async (): Promise<number> =>
    Number(
      (
        await client.query(
          "select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'contacts'",
        )
      ).rows[0].read,
    );
  try {
    await client.query('begin');
    const before = await read();
    const found = await loadContacts(client, account.accountId, lookups, 100);
    expect(found.all).toHaveLength(100);
    return (await read()) - before;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test.each(['key', 'id'] as const)(
  'a look-up by %s walks through an account that the statistics do not know once at most, and not for each value',
  async (by) => {
    const rows = await service.context.db
      .selectFrom('contacts')
      .where('account_id', '=', account.accountId)
      .where('contact_key', 'in', emails.slice(0, 100))
      .select(['contact_key as key', 'contact_id as id'])
      .execute();
    const lookups = new Lookups();
    for (const row of rows) lookups.add({ by, value: row[by] } as Parameters<Lookups['add']>[0]);
    expect(await rowsRead(lookups)).toBeLessThanOrEqual(known);
  },
);
