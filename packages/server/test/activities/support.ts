import { sql } from 'kysely';
import type { TestAccount, TestService } from '../support/service.ts';

// Each record without a time gets its own, in the order of creation. Otherwise the speed of the
// machine would decide which records are equal.
let nextMoment = Date.now() - 3_600_000;

/** Settings for accounts that accept records with any date, however old. */
export const keepsAll = { activity_retention_months: 600 };

/** A record as it is sent. Fields that a test leaves out have valid values. */
export function record(fields: object = {}): Record<string, unknown> {
  return {
    identity: 'asha@example.com',
    channel: 'email',
    activity: 'sent',
    occurred_at: new Date(nextMoment++).toISOString(),
    ...fields,
  };
}

/**
 * Records activities, waits until they are applied, and returns the request as operators see it.
 */
export async function recorded(
  service: TestService,
  account: TestAccount,
  records: readonly object[],
): Promise<{ status: string; counts: Record<string, number>; failures: Record<string, unknown>[] }> {
  const answer = await account.operator('POST', '/activities', { data: records });
  if (answer.status !== 200) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
  await service.settled();
  return (await account.operator('GET', `/requests/${answer.body.request_id}`)).body;
}

/** An activity as it is stored. */
export interface StoredActivity {
  readonly contact_key: string;
  readonly occurred_at: Date;
  readonly [column: string]: unknown;
}

/** All stored activities of an account, ordered by time. */
export async function stored(service: TestService, { accountId }: TestAccount): Promise<StoredActivity[]> {
  const { rows } = await sql<StoredActivity>`
    select * from activities where account_id = ${accountId} order by occurred_at, activity, contact_key`.execute(
    service.context.db,
  );
  return rows;
}

/** Creates contacts with these identities. */
export async function createContacts(account: TestAccount, ...identities: string[]): Promise<void> {
  await account.createContacts(identities.map((identity) => ({ identity })));
}

/** The named fields of the contact with an identity, or undefined if the contact does not exist. */
export async function contact(
  account: TestAccount,
  identity: string,
  ...fields: string[]
): Promise<Record<string, unknown> | undefined> {
  const condition = { field: 'identity', operation: 'equals', value: identity };
  const [row] = await account.rows({
    filtering_criteria: [{ condition_details: [condition] }],
    output: { fields },
  });
  return row;
}
