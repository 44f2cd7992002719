import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CreateContactsBody } from '@roster/contract';
import type { Credential } from '../accounts/credential.ts';
import type { Context } from '../context.ts';
import { contactKey } from './identity.ts';

// The requests that a client sent before may still wait. Looking before they are applied would call their contacts new.
const waitForLane = { most: 5000, step: 10 };

/**
 * True when a create names an identity that exists (setting `reject_existing_contacts`, decisions §3).
 *
 * Waits for the requests that were accepted before, at most 5 s: what a client has sent counts as existing. The pipeline checks again.
 */
export async function anyContactExists(
  context: Context,
  credential: Credential,
  data: CreateContactsBody['data'],
): Promise<boolean> {
  if (data.contact_type === 'anonymous') return false;
  const keys = data.contacts.flatMap((contact) => contactKey(credential.primaryKey, contact.identity!) ?? []);
  await earlierRequestsApplied(context, credential.accountId);
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from contacts where account_id = ${credential.accountId} and contact_key = any(${keys}::text[])) as found`.execute(
    context.db,
  );
  return rows[0]!.found;
}

async function earlierRequestsApplied(context: Context, accountId: number): Promise<void> {
  const last = await context.db
    .selectFrom('request_queue')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst();
  if (last?.seq === null || last?.seq === undefined) return;
  const until = Date.now() + waitForLane.most;
  while (Date.now() < until) {
    const waiting = await context.db
      .selectFrom('request_queue')
      .where('account_id', '=', accountId)
      .where('seq', '<=', last.seq)
      .select('seq')
      .limit(1)
      .executeTakeFirst();
    if (waiting === undefined) return;
    await sleep(waitForLane.step);
  }
}
