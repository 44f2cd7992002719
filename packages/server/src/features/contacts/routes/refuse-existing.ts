import { newestWaiting } from '#pipeline/log/backlog-store.ts';
import { sql } from 'kysely';
import { Faults } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { pollUntilFound } from '#platform/loops/poll-until-found.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';

// Milliseconds.
const queuePolling = { first: 10, timeout: 5000 };

/**
 * Refuses a create request with existing contacts (`reject_existing_contacts`): throws
 * `contact_exists`, with a fault for each of them.
 *
 * First waits up to 5 s until earlier requests are applied, because their contacts count as
 * existing. The pipeline checks again later, in case that was not long enough.
 */
export async function refuseExisting(
  context: Context,
  accountId: number,
  keys: readonly (string | undefined)[],
): Promise<void> {
  if (keys.length === 0) return;
  await waitForEarlierRequests(context, accountId);
  const { rows } = await sql<{ contact_key: string }>`
    select contact_key from contacts
    where account_id = ${opaqueAccount(accountId)} and contact_key = any(${keys.filter((key) => key !== undefined)}::text[])`.execute(
    context.db,
  );
  const faults = new Faults();
  const existing = new Set<string | undefined>(rows.map((row) => row.contact_key));
  for (const [index, key] of keys.entries()) {
    if (existing.has(key))
      faults.add('taken', 'is the identity of a contact that already exists', `data.contacts[${index}].identity`);
  }
  if (faults.count > 0) throw new ApiError('contact_exists', { faults: faults.list });
}

async function waitForEarlierRequests(context: Context, accountId: number): Promise<void> {
  const last = await newestWaiting(context.db, accountId);
  if (last === undefined) return;
  const look = async (): Promise<true | undefined> => {
    const waiting = await context.db
      .selectFrom('request_queue')
      .where('account_id', '=', accountId)
      .where('seq', '<=', last)
      .select('seq')
      .limit(1)
      .executeTakeFirst();
    return waiting === undefined ? true : undefined;
  };
  // Does not stop when the client disconnects: a client may send a request and not wait for the
  // response, and its request must still be accepted.
  await pollUntilFound(look, queuePolling);
}
