import { activityKinds, channels } from '@roster/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { keepSummaries } from '#features/activities/summaries/keep-summaries.ts';
import type { TestAccount, TestService } from '../support/service.ts';

/** Runs the upkeep of summaries until it has nothing to do. */
export async function keep({ context }: TestService): Promise<void> {
  await keepSummaries(context, new AbortController().signal);
}

/** Creates an account with derived attributes that are ready. */
export async function derivedAccount(service: TestService, body: object = {}): Promise<TestAccount> {
  const account = await service.createAccount({ name: 'Derived', ...body, settings: { derived_attributes: true } });
  await keep(service);
  return account;
}

/** Switches derived attributes of an account on or off. */
export async function switchDerived(account: TestAccount, isOn: boolean): Promise<void> {
  const { status } = await account.operator('PATCH', '', { settings: { derived_attributes: isOn } });
  expect(status).toBe(200);
}

/** The summary of one contact key. Only what is not null. */
export type Summary = Record<string, string | readonly number[]>;

const dayLength = 86_400_000;

/** The stored summaries by key, with the minutes of the last 91 days. */
export async function storedSummaries(service: TestService, { accountId }: TestAccount, now: number) {
  const { rows } = await sql<{ summary: Record<string, unknown> }>`
    select to_jsonb(s) - 'account_id' as summary from activity_summaries s where account_id = ${accountId}`.execute(
    service.context.db,
  );
  const summaries: Record<string, Summary> = {};
  for (const { summary } of rows) {
    const { contact_key: key, ...values } = summary;
    summaries[String(key)] = Object.fromEntries(
      Object.entries(values).flatMap(([name, value]): [string, Summary[string]][] => {
        if (value === null) return [];
        if (!Array.isArray(value)) return [[name, new Date(value as string).toISOString()]];
        expect(value, name).toEqual([...(value as number[])].sort((a, b) => a - b));
        const recent = (value as number[]).filter((minute) => minute * 60_000 >= now - 91 * dayLength);
        return recent.length === 0 ? [] : [[name, recent]];
      }),
    );
  }
  return summaries;
}

interface PlainActivity {
  /** Null: of a deleted contact. */
  readonly key: string | null;
  readonly channel: number;
  readonly activity: number;
  readonly at: number;
}

/** Loads the activities of an account. Those of a contact with a new key have that key. */
async function plainActivities({ context }: TestService, accountId: number): Promise<readonly PlainActivity[]> {
  const { rows } = await sql<PlainActivity>`
    select case when m.contact_key is null then a.contact_key else m.target_key end as key, channel, activity,
      (extract(epoch from occurred_at) * 1000)::float8 as at
    from activities a left join activity_moves m on m.account_id = a.account_id and m.contact_key = a.contact_key
    where a.account_id = ${accountId} order by occurred_at`.execute(context.db);
  return rows;
}

/** Computes the summaries from the stored activities, without the code of the service. */
export async function expectedSummaries(service: TestService, { accountId }: TestAccount, now: number, from = 0) {
  const summaries: Record<string, Record<string, string | number[]>> = {};
  for (const { key, channel, activity, at } of await plainActivities(service, accountId)) {
    if (key === null || at < from) continue;
    const kind = activityKinds[activity - 1]!;
    const name = channels[channel - 1]!;
    if (['sent', 'delivered', 'bounce'].includes(kind)) continue;
    const summary = (summaries[key] ??= {});
    const moment = new Date(at).toISOString();
    summary['first_seen'] ??= moment;
    summary['last_seen'] = moment;
    if (!['open', 'click'].includes(kind)) continue;
    summary[`${name}_${kind}_at`] = moment;
    const minute = Math.floor(at / 60_000);
    if (minute * 60_000 < now - 91 * dayLength) continue;
    const minutes = (summary[`${name}_${kind}_minutes`] ??= []) as number[];
    minutes.push(minute);
  }
  return summaries;
}

const windows = [30, 90] as const;

/** The names of all derived attributes about messages that were sent. */
export const sentNames: readonly string[] = [
  ...windows.map((days) => `activity.sent_${days}_days`),
  ...channels.flatMap((channel) => [
    `activity.${channel}.last_sent`,
    ...windows.map((days) => `activity.${channel}.sent_${days}_days`),
  ]),
];

/** Computes the attributes about sent messages from the stored activities, by contact key. */
async function expectedSent(service: TestService, { accountId }: TestAccount, now: number) {
  const { settings, time_zone: timeZone } = await requireAccount(service.context.db, accountId);
  const { activity_retention_months: months } = effectiveSettings(settings);
  const date = new Date(now);
  const oldest = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months);
  // The locale en-CA writes days as YYYY-MM-DD.
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const today = Date.parse(calendar.format(now));
  const firstDays = windows.map((days) => new Date(today - days * dayLength).toISOString().slice(0, 10));
  const values = new Map<string, Record<string, string | number>>();
  for (const { key, channel, activity, at } of await plainActivities(service, accountId)) {
    if (key === null || at < oldest || activityKinds[activity - 1] !== 'sent') continue;
    const own: Record<string, string | number> = values.get(key) ?? {};
    values.set(key, own);
    const name = channels[channel - 1]!;
    own[`activity.${name}.last_sent`] = new Date(at).toISOString();
    for (const [index, days] of windows.entries()) {
      if (calendar.format(at) < firstDays[index]!) continue;
      for (const of of ['', `${name}.`]) {
        const field = `activity.${of}sent_${days}_days`;
        own[field] = Number(own[field] ?? 0) + 1;
      }
    }
  }
  return values;
}

/**
 * Expects that the attributes about sent messages are what the stored activities give: as values, in
 * an order, and in filters.
 */
export async function expectSentExact(service: TestService, account: TestAccount, now: number): Promise<void> {
  const expected = await expectedSent(service, account, now);
  const all = { limit: 1000 };
  const rows = await account.rows({ output: { fields: ['contact_id', 'identity', ...sentNames], pagination: all } });
  const valueOf = (identity: unknown, name: string) =>
    expected.get(String(identity))?.[name] ?? (name.includes('last') ? null : 0);
  for (const row of rows) {
    const own = Object.fromEntries(sentNames.map((name) => [name, valueOf(row['identity'], name)]));
    expect(row).toMatchObject(own);
  }
  const ids = async (body: object, order: object[] = [{ field: 'contact_id', direction: 'asc' }]) =>
    (await account.rows({ ...body, output: { fields: ['contact_id'], sorting: order, pagination: all } })).map(
      (row) => row['contact_id'],
    );
  for (const name of ['activity.sent_90_days', 'activity.email.last_sent', 'activity.sms.sent_30_days']) {
    const sortable = rows.map((row) => ({ id: Number(row['contact_id']), value: row[name] as string | number | null }));
    sortable.sort(
      (a, b) =>
        Number(a.value === null) - Number(b.value === null) ||
        (a.value === b.value ? a.id - b.id : a.value! > b.value! ? -1 : 1),
    );
    expect(await ids({}, [{ field: name, direction: 'desc' }])).toEqual(sortable.map(({ id }) => id));
    const middle = sortable[Math.floor(sortable.length / 2)]?.value ?? null;
    if (middle === null) continue;
    const condition = { field: name, operation: 'less_than', value: middle };
    expect(await ids({ filtering_criteria: [{ condition_details: [condition] }] })).toEqual(
      sortable
        .filter(({ value }) => value !== null && value < middle)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    );
  }
}

/** Expects that the derived attributes of an account are what its stored activities give. */
export async function expectExact(service: TestService, account: TestAccount, now: number, from = 0): Promise<void> {
  expect(await storedSummaries(service, account, now)).toEqual(await expectedSummaries(service, account, now, from));
  await expectSentExact(service, account, now);
}
