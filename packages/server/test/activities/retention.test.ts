import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { partitionName } from '#features/activities/store/partition-name.ts';
import { monthOf } from '#platform/time/month.ts';
import { listPartitions } from '#features/activities/store/partition-store.ts';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { record, recorded, stored } from './support.ts';
import { onSingleServerOnly } from '../support/cluster.ts';

let account: TestAccount;
let now = Date.parse('2026-06-15T12:00:00Z');
const service = await forFile(startTestService({ now: () => new Date(now) }));
beforeEach(async () => {
  now = Date.parse('2026-06-15T12:00:00Z');
  account = await service.createAccount();
});

const runUpkeep = () => applyRetention(service.context, new AbortController().signal);
const setRetention = async (of: TestAccount, months: number | null) =>
  expect((await of.operator('PATCH', '', { settings: { activity_retention_months: months } })).status).toBe(200);
const recordsAt = (...moments: string[]) => moments.map((occurred_at) => record({ occurred_at }));
const names = async () => (await listPartitions(service.context.db)).map(({ name }) => name);
const momentsOf = async (of: TestAccount) =>
  (await stored(service, of)).map((row) => row.occurred_at.toISOString().slice(0, 10));

test('the retention setting is a number of months, 25 by default', async () => {
  expect((await account.operator('GET', '')).body.settings.activity_retention_months).toBe(25);
  for (const months of [0, 601, 'many', 1.5]) {
    expect((await account.operator('PATCH', '', { settings: { activity_retention_months: months } })).status).toBe(400);
  }
  await setRetention(account, 600);
  await setRetention(account, null);
  expect((await account.operator('GET', '')).body.settings.activity_retention_months).toBe(25);
});

test('partitions are created ahead of time, and for late records when they arrive', async () => {
  await runUpkeep();
  expect(await names()).toEqual(
    expect.arrayContaining(['activities_202606', 'activities_202607', 'activities_202608']),
  );
  expect(await names()).not.toContain('activities_202405');
  const request = await recorded(service, account, recordsAt('2024-05-01T00:00:00Z', '2024-04-30T23:59:59.999Z'));
  expect(request).toMatchObject({
    counts: { created: 1, failed: 1 },
    failures: [{ index: 1, code: 'activity_too_old' }],
  });
  expect(await names()).toContain('activities_202405');
  expect(await names()).not.toContain('activities_202404');
});

test("records older than an account's shorter retention are refused and deleted, and those of other accounts stay", async () => {
  const other = await service.createAccount();
  const records = recordsAt('2026-01-31T23:59:59Z', '2026-03-01T00:00:00Z', '2026-06-01T00:00:00Z');
  await recorded(service, account, records);
  await recorded(service, other, records);
  await setRetention(account, 3);
  await runUpkeep();
  expect(await momentsOf(account)).toEqual(['2026-03-01', '2026-06-01']);
  expect(await momentsOf(other)).toEqual(['2026-01-31', '2026-03-01', '2026-06-01']);
  expect(await recorded(service, account, recordsAt('2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z'))).toMatchObject({
    counts: { created: 1, failed: 1 },
  });
  await setRetention(account, 25);
  expect(await recorded(service, account, recordsAt('2026-02-28T23:59:59Z'))).toMatchObject({ counts: { created: 1 } });
});

test('a partition is dropped a day after the last record could arrive, once no account keeps it', async () => {
  await recorded(service, account, recordsAt('2024-05-20T00:00:00Z'));
  now = Date.parse('2026-07-01T12:00:00Z');
  await runUpkeep();
  // The row is not deleted either: rows are deleted only if other accounts still keep the
  // partition.
  expect(await momentsOf(account)).toEqual(['2024-05-20']);
  await setRetention(account, 26);
  now = Date.parse('2026-07-03T12:00:00Z');
  await runUpkeep();
  expect(await momentsOf(account)).toEqual(['2024-05-20']);
  await setRetention(account, null);
  await runUpkeep();
  expect(await names()).not.toContain('activities_202405');
  const { rows } = await sql`select to_regclass('activities_202405') as found`.execute(service.context.db);
  expect(rows).toEqual([{ found: null }]);
});

/**
 * Opens a connection that reads the activities in a transaction, like a backup. Disposing it ends
 * the transaction.
 */
async function openReader() {
  const client = new pg.Client({ connectionString: service.context.config.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select count(*) from activities');
  return {
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      await client.end();
    },
  };
}

onSingleServerOnly('a cluster has no DETACH CONCURRENTLY')(
  'dropping a partition blocks no request, and is completed later when a reader takes long',
  async () => {
    await recorded(service, account, recordsAt('2024-05-20T00:00:00Z', '2026-06-01T00:00:00Z'));
    now = Date.parse('2026-07-03T12:00:00Z');
    {
      await using _backup = await openReader();
      const dropping = runUpkeep();
      let isDone = false;
      void dropping.finally(() => (isDone = true));
      const { db } = service.context;
      // The drop waits for the reader. Meanwhile queries and records must not wait, not even records
      // of a month without a partition.
      await expect
        .poll(async () => {
          const { rows } = await sql`
          select from pg_stat_activity
          where datname = current_database() and query like 'alter table activities detach%' and wait_event_type = 'Lock'`.execute(
            db,
          );
          return rows.length;
        })
        .toBe(1);
      expect(await recorded(service, account, recordsAt('2026-05-05T00:00:00Z', '2025-02-02T00:00:00Z'))).toMatchObject(
        {
          counts: { created: 2 },
        },
      );
      expect(await momentsOf(account)).toEqual(['2025-02-02', '2026-05-05', '2026-06-01']);
      expect(isDone).toBe(false);
      await dropping;
      // The drop gave up for now. The partition still exists, but no query sees it.
      const { rows } = await sql`select to_regclass('activities_202405') is not null as found`.execute(db);
      expect(rows).toEqual([{ found: true }]);
      expect(await names()).not.toContain('activities_202405');
    }
    await runUpkeep();
    const { rows } = await sql`select to_regclass('activities_202405') as found`.execute(service.context.db);
    expect(rows).toEqual([{ found: null }]);
  },
  30_000,
);

test('records of a month whose partition is detached but not dropped get a new partition', async () => {
  await recorded(service, account, recordsAt('2024-05-20T00:00:00Z'));
  await sql`alter table activities detach partition ${sql.id(partitionName(monthOf(Date.parse('2024-05-20'))))}`.execute(
    service.context.db,
  );
  expect(await recorded(service, account, recordsAt('2024-05-21T00:00:00Z'))).toMatchObject({ counts: { created: 1 } });
  expect(await momentsOf(account)).toEqual(['2024-05-21']);
});

onSingleServerOnly('a cluster has no DETACH CONCURRENTLY')(
  'records whose partition is being detached are stored once the partition can be created again',
  async () => {
    const { db } = service.context;
    await recorded(service, account, recordsAt('2026-06-01T00:00:00Z'));
    // The partition is being detached, and blocks a new one of the same name. This happens when a
    // retention is raised during the upkeep.
    let answer;
    {
      await using _backup = await openReader();
      const client = new pg.Client({ connectionString: service.context.config.databaseUrl });
      await client.connect();
      await client.query(`set lock_timeout = '50ms'`);
      await expect(
        client.query('alter table activities detach partition activities_202606 concurrently'),
      ).rejects.toThrow();
      await client.end();
      answer = await account.operator('POST', '/activities', { data: recordsAt('2026-06-02T00:00:00Z') });
      expect((await account.operator('GET', `/requests/${answer.body.request_id}`)).body.status).toBe('accepted');
    }
    await sql`alter table activities detach partition activities_202606 finalize`.execute(db);
    await service.settled();
    expect((await account.operator('GET', `/requests/${answer.body.request_id}`)).body).toMatchObject({
      counts: { created: 1, failed: 0 },
    });
  },
  30_000,
);

test('awaited opt-outs are deleted when the retention of activities ends', async () => {
  const { db } = service.context;
  const keys = async () =>
    (
      await db
        .selectFrom('awaited_opt_outs')
        .where('account_id', '=', account.accountId)
        .select('contact_key')
        .orderBy('contact_key')
        .execute()
    ).map((row) => row.contact_key);
  await recorded(service, account, [
    record({ identity: 'old@example.com', activity: 'spam', occurred_at: '2026-02-28T23:59:59Z' }),
    record({ identity: 'recent@example.com', activity: 'spam', occurred_at: '2026-03-01T00:00:00Z' }),
  ]);
  await runUpkeep();
  expect(await keys()).toEqual(['old@example.com', 'recent@example.com']);
  await setRetention(account, 3);
  await runUpkeep();
  expect(await keys()).toEqual(['recent@example.com']);
});
