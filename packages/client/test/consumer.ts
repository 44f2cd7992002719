// package.test.ts compiles this file against the packed package. It shows what users write, and
// what must be a type error.
import { createClient, createOperatorClient, RosterError, type NewContact, type RequestDetail } from '@roster/client';

// Compares in both directions, so that neither type is wider. The brackets make unions compare as a
// whole.
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(yes: Same<A, B>): void => void yes;

const roster = createClient({ url: 'https://roster.example.com', apiKey: 'key', retries: { limit: 2 } });
const operator = createOperatorClient({ url: new URL('https://roster.example.com'), token: 'token' });

export async function uses(): Promise<void> {
  const people: readonly NewContact[] = [
    { identity: 'asha@example.com', attributes: { CITY: 'Pune', AGE: 31 }, audience_details: [{ audience_id: [1] }] },
  ];
  const { count, requests } = await roster.contacts.create(people, { concurrency: 2 });
  same<typeof count, number>(true);
  same<(typeof requests)[number]['request_id'], string>(true);

  for await (const row of roster.contacts.search({ output: { fields: ['EMAIL', 'CITY'] } })) {
    same<typeof row.CITY, string | number | boolean | null>(true);
    // @ts-expect-error It was not asked for.
    void row.AGE;
  }
  for await (const row of roster.contacts.search({ output: { fields: ['contact_id', 'Email', 'LIST_ID'] } })) {
    same<typeof row.contact_id, number>(true);
    same<typeof row.Email, string | null>(true);
    same<typeof row.LIST_ID, readonly number[]>(true);
  }
  for await (const row of roster.contacts.searchAudience({ audience_type: 'list', audience_id: 3 })) {
    same<(typeof row)[string], string | number | boolean | null | readonly number[]>(true);
  }
  // @ts-expect-error There is no such operator.
  roster.contacts.search({ filtering_criteria_operator: 'xor' });
  // @ts-expect-error An identity is text.
  await roster.contacts.create([{ identity: { text: 'asha' } }]);

  const [first] = await roster.attributes.update([{ name: 'CITY', data_masking: 'partial' }]);
  same<NonNullable<typeof first>['data_type'], 'number' | 'boolean' | 'date' | 'text' | 'long_text' | 'datetime'>(true);
  // @ts-expect-error There is no such data type.
  await roster.attributes.create([{ name: 'AGE', data_type: 'integer' }]);

  const account = operator.account(1);
  for await (const list of account.lists.list({ limit: 100 })) same<typeof list.member_count, number>(true);
  const request = await account.requests.wait(requests[0]!.request_id);
  same<typeof request, RequestDetail>(true);
  same<(typeof request.failures)[number]['index'], number>(true);

  const made = await operator.call('createList', { path: { account_id: 1 }, body: { name: 'News' } });
  same<typeof made.audience_id, number>(true);
  // @ts-expect-error A key does not open the operator API.
  await roster.call('createList', { path: { account_id: 1 }, body: { name: 'News' } });
  // @ts-expect-error The number of the account is missing.
  await operator.call('createList', { body: { name: 'News' } });
  // @ts-expect-error The body is missing.
  await operator.call('createList', { path: { account_id: 1 } });

  const { stream } = await account.exports.open('019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11');
  same<typeof stream, ReadableStream<Uint8Array>>(true);
}

export function describeError(error: unknown): string {
  if (!(error instanceof RosterError)) return 'a defect';
  same<typeof error.status, number | undefined>(true);
  return error.faults.map(({ field, message }) => `${field} ${message}`).join('\n');
}
