import { activityKinds, channels } from '@roster/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { keepSummaries } from '#features/activities/summaries/keep-summaries.ts';
import type { TestAccount, TestService } from '../support/service.ts';

/** Runs the upkeep of summaries until it has nothing to do. */
export async function keep({ context }: TestService): Promise<void> {
  await keepSummaries(context, new AbortController().signal);
}

/** The settings that switch all derived attributes on. */
export const bothSettings = { derived_attributes: true, derived_sent_attributes: true };

/** Creates an account with derived attributes that are ready. */
export async function derivedAccount(service: TestService, body: object = {}): Promise<TestAccount> {
  const account = await service.createAccount({ name: 'Derived', ...body, settings: { ...bothSettings } });
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
  readonly key: string;
  readonly channel: number;
  readonly activity: number;
  readonly at: number;
}

/**
 * Computes the summaries from the stored activities, without the code of the service. Activities of
 * a contact with a new key count under that key.
 */
export async function expectedSummaries(service: TestService, { accountId }: TestAccount, now: number, from = 0) {
  const { settings } = await requireAccount(service.context.db, accountId);
  const withSent = settings.derived_sent_attributes === true;
  const { rows } = await sql<PlainActivity>`
    select case when m.contact_key is null then a.contact_key else m.target_key end as key, channel, activity,
      (extract(epoch from occurred_at) * 1000)::float8 as at
    from activities a left join activity_moves m on m.account_id = a.account_id and m.contact_key = a.contact_key
    where a.account_id = ${accountId} order by occurred_at`.execute(service.context.db);
  const summaries: Record<string, Record<string, string | number[]>> = {};
  for (const { key, channel, activity, at } of rows) {
    if ((key as string | null) === null || at < from) continue;
    const kind = activityKinds[activity - 1]!;
    const name = channels[channel - 1]!;
    if (['delivered', 'bounce', ...(withSent ? [] : ['sent'])].includes(kind)) continue;
    const summary = (summaries[key] ??= {});
    const moment = new Date(at).toISOString();
    if (kind !== 'sent') {
      summary['first_seen'] ??= moment;
      summary['last_seen'] = moment;
    }
    if (!['sent', 'open', 'click'].includes(kind)) continue;
    summary[`${name}_${kind}_at`] = moment;
    const minute = Math.floor(at / 60_000);
    if (minute * 60_000 < now - 91 * dayLength) continue;
    const minutes = (summary[`${name}_${kind}_minutes`] ??= []) as number[];
    minutes.push(minute);
  }
  return summaries;
}

/** Expects that the summaries of an account are what its stored activities give. */
export async function expectExact(service: TestService, account: TestAccount, now: number, from = 0): Promise<void> {
  expect(await storedSummaries(service, account, now)).toEqual(await expectedSummaries(service, account, now, from));
}
