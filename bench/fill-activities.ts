import type pg from 'pg';
import { partitionName } from '../packages/server/src/features/activities/store/partition-name.ts';
import { monthOf, startOfMonth } from '../packages/server/src/platform/time/month.ts';
import type { ActivitySize } from './activity-data.ts';

const day = 86_400_000;
const activitiesPerStatement = 500_000;

/**
 * Fills account 1 with contacts, and with activities of random contacts over the last year, in the
 * mix of `activity-data.ts`. Writes the tables directly, which takes a tenth of the time of the
 * API. Then runs the vacuum that PostgreSQL would run some minutes later.
 */
export async function fillActivities(database: pg.Client, { contacts, activities }: ActivitySize): Promise<void> {
  const now = Date.now();
  await database.query(
    `insert into contacts (account_id, contact_id, contact_key, contact_type, email, attributes, created_at, updated_at)
     select 1, n + 1, key, 'identified', '', jsonb_build_object('1.1', 'Name ' || n % 1000, '1.5', 'City ' || n % 50),
       $2::timestamptz - make_interval(secs => (hashint4(n) & 2147483647) % 63072000), now()
     from (select n, 'person' || n || '@example' || n % 97 || '.com' as key from generate_series(0, $1::int - 1) n) p`,
    [contacts, new Date(now)],
  );
  for (let month = monthOf(now - 366 * day); month <= monthOf(now) + 1; month++) {
    const name = partitionName(month);
    await database.query(
      `create table if not exists ${name} (like activities including defaults including constraints including storage)`,
    );
    const { rowCount } = await database.query('select from pg_inherits where inhrelid = $1::regclass', [name]);
    if (rowCount !== 0) continue;
    await database.query(
      `alter table activities attach partition ${name} for values from ('${startOfMonth(month)}') to ('${startOfMonth(month + 1)}')`,
    );
  }
  for (let from = 0; from < activities; from += activitiesPerStatement) {
    // Each is up to three days late, so the times of a year are not quite in order.
    await database.query(
      `insert into activities (account_id, contact_key, channel, activity, occurred_at, message_id, record_id, msg_name, ip, device, os, browser)
       select 1, 'person' || p || '@example' || p % 97 || '.com', case when channel = 0 then 2 else 1 end, activity,
         $3::timestamptz - make_interval(secs => ($4::int - 1 - n)::float8 / $4::int * 361 * 86400 + late), 1000 + n / 5000, n::bigint * 7919,
         'Campaign ' || 1000 + n / 5000, case when activity in (3, 4) then '203.0.113.' || p % 256 end,
         case when activity in (3, 4) then 'Mobile' end, case when activity in (3, 4) then 'Android 16' end,
         case when activity in (3, 4) then 'Chrome 141' end
       from (
         select n, (hashint8extended(n, 1) & 2147483647) % $5::int as p, (hashint8extended(n, 2) & 3) as channel,
           (hashint8extended(n, 3) & 2147483647) % 259200 as late,
           case when kind < 450 then 1 when kind < 860 then 2 when kind < 960 then 3 when kind < 988 then 4 when kind < 998 then 5 else 6 end as activity
         from (select n, (hashint8extended(n, 4) & 2147483647) % 1000 as kind from generate_series($1::int, $2::int - 1) n) k
       ) made`,
      [from, Math.min(from + activitiesPerStatement, activities), new Date(now), activities, contacts],
    );
  }
  await database.query('vacuum (analyze) contacts');
  // Each month separately, as PostgreSQL does it.
  const { rows } = await database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'activities'::regclass`,
  );
  for (const { name } of rows) await database.query(`vacuum (analyze) ${name}`);
  await database.query('checkpoint');
}
