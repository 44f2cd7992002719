import { sql } from 'kysely';
import { expect } from 'vitest';
import { countColumns, totalColumns } from '#features/contacts/counts/count-columns.ts';
import { recount, type Differences, type RecountOptions } from '#features/statistics/recount.ts';
import type { TestAccount, TestService } from '../support/service.ts';

/** Compares the counts of an account with its rows, or corrects them. */
export async function compare(
  { context }: TestService,
  { accountId }: TestAccount,
  options: Partial<RecountOptions> = {},
): Promise<Differences> {
  const { signal } = new AbortController();
  return recount(context.pool, { accountId, at: context.now(), isCorrected: false, signal, ...options });
}

/** The sums of `contact_counts` of an account. */
export async function sums(service: TestService, { accountId }: TestAccount): Promise<Record<string, number>> {
  const columns = countColumns.map((name) => `sum(${name})::float8 as ${name}`).join(', ');
  const { rows } = await sql<Record<string, number>>`
    select ${sql.raw(columns)} from contact_counts where account_id = ${accountId}`.execute(service.context.db);
  return rows[0]!;
}

/** Counts the rows of an account with plain SQL, and expects that all its counts are equal. */
export async function expectExactCounts(service: TestService, account: TestAccount): Promise<void> {
  const { db } = service.context;
  const { accountId } = account;
  const { rows: contacts } = await sql<Record<string, number>>`
    select count(*) filter (where contact_type = 'anonymous') as anonymous,
      count(*) filter (where contact_type = 'identified') as identified,
      count(*) filter (where contact_type = 'unconfirmed') as unconfirmed,
      count(*) filter (where contact_type = 'confirmed') as confirmed,
      count(*) filter (where contact_type = 'blacklisted') as blacklisted,
      count(*) filter (where contact_type <> 'blacklisted' and email is not null and not email_opted_out) as email_reach,
      count(*) filter (where contact_type <> 'blacklisted' and mobile is not null and not sms_opted_out) as sms_reach,
      count(*) filter (where contact_type <> 'blacklisted' and mobile is not null and not whatsapp_opted_out) as whatsapp_reach,
      count(*) filter (where contact_key not like 'anonymous/%') as identities
    from contacts where account_id = ${accountId}`.execute(db);
  const totals = await db
    .selectFrom('contact_totals')
    .where('account_id', '=', accountId)
    .select([...totalColumns])
    .executeTakeFirst();
  expect(totals ?? Object.fromEntries(totalColumns.map((name) => [name, 0]))).toEqual(contacts[0]);

  const { rows: created } = await sql`
    select starts_at, created - created_since_deleted as contacts from contact_counts
    where account_id = ${accountId} and created <> created_since_deleted order by starts_at`.execute(db);
  const { rows: ofContacts } = await sql`
    select date_bin('15 minutes', created_at, timestamptz '2000-01-01Z') as starts_at, count(*) as contacts
    from contacts where account_id = ${accountId} group by 1 order by 1`.execute(db);
  expect(created).toEqual(ofContacts);

  const { rows: fills } = await sql`
    select attribute_id, filled from attribute_fills where account_id = ${accountId} and filled <> 0 order by 1`.execute(
    db,
  );
  const { rows: values } = await sql`
    select a.attribute_id, count(*) as filled from attributes a
      join contacts c on c.account_id = a.account_id and c.attributes ? (a.account_id || '.' || a.attribute_id)
    where a.account_id = ${accountId} group by 1 order by 1`.execute(db);
  expect(fills).toEqual(values);
  await expectExactActivities(service, account);
}

/** Counts the activities one by one in the time zone of the account. */
async function expectExactActivities({ context: { db } }: TestService, { accountId }: TestAccount): Promise<void> {
  const { time_zone: timeZone } = await db
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .select('time_zone')
    .executeTakeFirstOrThrow();
  const days = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  const activities = await db
    .selectFrom('activities')
    .where('account_id', '=', accountId)
    .select(['occurred_at', 'channel', 'activity', 'message_id'])
    .execute();
  const expected = new Map<string, number>();
  for (const { occurred_at: at, channel, activity, message_id: message } of activities) {
    const key = [days.format(at), channel, activity, message ?? -1].join(' ');
    expected.set(key, (expected.get(key) ?? 0) + 1);
  }
  const { rows } = await sql<{ key: string; count: number }>`
    select concat_ws(' ', day, channel, activity, message_id) as key, sum(count)::float8 as count
    from activity_counts where account_id = ${accountId} group by 1 having sum(count) <> 0`.execute(db);
  expect(Object.fromEntries(rows.map(({ key, count }) => [key, count]))).toEqual(Object.fromEntries(expected));
}
