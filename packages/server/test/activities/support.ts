import { sql } from 'kysely';
import type { TestAccount, TestService } from '../support/service.ts';

// Records that name no moment have one each, in the order in which they are made: otherwise the machine would decide which are the same.
let nextMoment = Date.now() - 3_600_000;

/** Settings of an account that takes records of moments that tests name, however long ago that is when they run. */
export const keepsAll = { activity_retention_months: 600 };

/** A record as it is sent; whatever a test leaves out has a value that is in order. */
export function record(fields: object = {}): Record<string, unknown> {
  return {
    identity: 'asha@example.com',
    channel: 'email',
    activity: 'sent',
    occurred_at: new Date(nextMoment++).toISOString(),
    ...fields,
  };
}

/** Records activities, waits until they are applied, and answers what operators see of the request. */
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

/** Everything that is stored of an account, in the order of time. */
export async function stored(service: TestService, { accountId }: TestAccount): Promise<StoredActivity[]> {
  const { rows } = await sql<StoredActivity>`
    select * from activities where account_id = ${accountId} order by occurred_at, activity, contact_key`.execute(
    service.context.db,
  );
  return rows;
}

/** Creates contacts with these identities. */
export async function createContacts(account: TestAccount, ...identities: string[]): Promise<void> {
  await account.apply('/contact/create', {
    data: { contact_type: 'identified', contacts: identities.map((identity) => ({ identity })) },
  });
}

/** The named fields of the contact with an identity; undefined when there is none. */
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
