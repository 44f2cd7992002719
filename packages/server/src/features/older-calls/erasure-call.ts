import { Faults } from '@roster/contract';
import { contactKey } from '#features/contacts/model/identity.ts';
import { eraseContact } from '#features/erasures/erasures.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { faultsError, notFound } from '#platform/errors/api-error.ts';
import type { OlderCall } from '#platform/http/older-calls/older-calls.ts';
import { readIdentity } from './read-parameters.ts';

/** Erases a person with all traces, as `eraseContact` does. The answer comes when the contact is deleted. */
export const erasureCall: OlderCall = {
  type: 'erasure_user_data',
  activity: 'request_erasure_data',
  permission: 'privacy:write',
  async handle(service, request) {
    const { requestId, credential, disconnectSignal } = request;
    const { accountId, primaryKey, author } = credential;
    const faults = new Faults();
    const identity = readIdentity(request, 'primary_key', faults);
    if (identity === undefined) throw faultsError(faults);
    const contactId = await findContactId(service.context.db, accountId, contactKey(primaryKey, identity)!);
    if (contactId === undefined) {
      throw notFound(`contact with this ${primaryKey}`);
    }
    await eraseContact(service, accountId, contactId, { requestId, author }, disconnectSignal());
    return requestId;
  },
};

async function findContactId(db: Database, accountId: number, key: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('contacts')
    .where('account_id', '=', accountId)
    .where('contact_key', '=', key)
    .select('contact_id')
    .executeTakeFirst();
  return row?.contact_id;
}
