import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { contact, createContacts, keepsAll, record, recorded, stored } from './support.ts';

let account: TestAccount;
const createAccount = () => service.createAccount({ name: 'Pipeline', settings: keepsAll });
const service = await forFile(startTestService());
beforeEach(async () => {
  account = await createAccount();
});

test('only the record that the database refuses fails; the others are kept and change their contacts', async () => {
  const { db } = service.context;
  await recorded(service, account, [record()]);
  await createContacts(account, 'a@example.com', 'b@example.com');
  await sql`alter table activities add constraint poison check (msg_name is distinct from 'poison')`.execute(db);
  const records = Array.from({ length: 40 }, (_, n) => record({ id: n, identity: `${n % 7}@example.com` }));
  records[17] = record({ msg_name: 'poison', activity: 'spam', identity: 'a@example.com' });
  records[18] = record({ activity: 'spam', identity: 'b@example.com' });
  const request = await recorded(service, account, [...records, records[0]!]);
  await sql`alter table activities drop constraint poison`.execute(db);
  expect(request).toMatchObject({
    status: 'done',
    counts: { total: 41, created: 39, unchanged: 1, failed: 1 },
    failures: [{ index: 17, code: 'internal' }],
  });
  expect(await stored(service, account)).toHaveLength(40);
  const types = [
    await contact(account, 'a@example.com', 'contact_type'),
    await contact(account, 'b@example.com', 'contact_type'),
  ];
  expect(types).toEqual([{ contact_type: 'identified' }, { contact_type: 'blacklisted' }]);
});

test('one request can have 10,000 records', async () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const records = Array.from({ length: 10_000 }, (_, n) =>
    record({
      identity: `${n % 1000}@example.com`,
      occurred_at: new Date(start + n * 600_000).toISOString(),
      id: n,
      activity: n % 2 === 0 ? 'sent' : 'open',
    }),
  );
  expect(await recorded(service, account, records)).toMatchObject({ status: 'done', counts: { created: 10_000 } });
  expect(await recorded(service, account, [...records.slice(5000), ...records.slice(0, 5000)])).toMatchObject({
    counts: { unchanged: 10_000, created: 0 },
  });
  expect(await stored(service, account)).toHaveLength(10_000);
});

test('several workers store the records of several accounts, each record once', async () => {
  await using _more = service.startWorker(2);
  const accounts = [account, await createAccount(), await createAccount()];
  await Promise.all(
    accounts.map(async (each) => {
      for (let n = 0; n < 15; n++) {
        const answer = await each.operator('POST', '/activities', {
          data: [
            record({ id: n, occurred_at: '2026-02-02T02:02:02Z' }),
            record({ id: 'same', occurred_at: '2025-12-31T23:59:59Z' }),
          ],
        });
        expect(answer.status).toBe(200);
      }
    }),
  );
  await service.settled();
  for (const each of accounts) expect(await stored(service, each)).toHaveLength(16);
});
