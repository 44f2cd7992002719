import type { BulkChange, BulkChangeFailure } from '@roster/contract';
import type { TestAccount } from '../support/service.ts';

/** Creates contacts with the identities `u<from>@example.com` up to `u<to - 1>@example.com`. */
export async function fill(account: TestAccount, from: number, to: number, fields: object = {}): Promise<void> {
  for (let start = from; start < to; start += 1000) {
    const contacts = Array.from({ length: Math.min(1000, to - start) }, (_, n) => ({
      identity: `u${start + n}@example.com`,
      ...fields,
    }));
    await account.createContacts(contacts);
  }
}

/** A condition on one field, as the filter of a bulk change or a search. */
export function where(field: string, operation: string, value?: unknown) {
  return {
    filtering_criteria: [{ condition_details: [{ field, operation, ...(value === undefined ? {} : { value }) }] }],
  };
}

/** Creates a bulk change. Throws when the service refuses it. */
export async function created(account: TestAccount, body: object): Promise<BulkChange> {
  const answer = await account.operator('POST', '/bulk-changes', body);
  if (answer.status !== 201) throw new Error(`the bulk change was refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Waits until a bulk change has ended, and returns it. */
export async function ended(account: TestAccount, id: string): Promise<BulkChange> {
  for (;;) {
    const { body } = await account.operator('GET', `/bulk-changes/${id}`);
    if (body.finished_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Creates a bulk change and waits for its end. */
export async function changed(account: TestAccount, body: object): Promise<BulkChange> {
  return ended(account, (await created(account, body)).bulk_change_id);
}

/** Returns all failures of a bulk change, page by page. */
export async function failuresOf(account: TestAccount, id: string, limit = 500): Promise<BulkChangeFailure[]> {
  const all: BulkChangeFailure[] = [];
  let cursor = '';
  do {
    const { body } = await account.operator('GET', `/bulk-changes/${id}/failures?limit=${limit}&cursor=${cursor}`);
    all.push(...body.data);
    cursor = body.next_cursor ?? '';
  } while (cursor !== '');
  return all;
}

/** Counts the contacts that match a filter. */
export async function count(account: TestAccount, filter: object): Promise<number> {
  const { body } = await account.v5('/contact/search', { ...filter, output: { get_count: true } });
  return body.count;
}
