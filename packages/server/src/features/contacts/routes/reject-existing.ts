import { sql } from 'kysely';
import type { Faults } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { lookUntilFound } from '#platform/loops/look-until-found.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';

// The requests that a client sent before may still wait. Looking before they are applied would call their contacts new.
const looks = { first: 10, timeout: 5000 };

/**
 * Adds a fault for every contact of a create whose key exists (setting `reject_existing_contacts`).
 *
 * Waits for the requests that were accepted before, at most 5 s: what a client has sent counts as existing. The pipeline checks again.
 */
export async function findExisting(
  context: Context,
  accountId: number,
  keys: readonly (string | undefined)[],
  faults: Faults,
): Promise<void> {
  if (keys.length === 0) return;
  await earlierRequestsApplied(context, accountId);
  const { rows } = await sql<{ contact_key: string }>`
    select contact_key from contacts
    where account_id = ${opaqueAccount(accountId)} and contact_key = any(${keys.filter((key) => key !== undefined)}::text[])`.execute(
    context.db,
  );
  const existing = new Set<string | undefined>(rows.map((row) => row.contact_key));
  for (const [index, key] of keys.entries()) {
    if (existing.has(key))
      faults.add('taken', 'is the identity of a contact that already exists', `data.contacts[${index}].identity`);
  }
}

async function earlierRequestsApplied(context: Context, accountId: number): Promise<void> {
  const last = await context.db
    .selectFrom('request_queue')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst();
  if (last?.seq === null || last?.seq === undefined) return;
  const look = async (): Promise<true | undefined> => {
    const waiting = await context.db
      .selectFrom('request_queue')
      .where('account_id', '=', accountId)
      .where('seq', '<=', last.seq)
      .select('seq')
      .limit(1)
      .executeTakeFirst();
    return waiting === undefined ? true : undefined;
  };
  // Without the signal of the request: it is not accepted yet, and a client may close the connection without waiting for an answer.
  await lookUntilFound(look, looks);
}
