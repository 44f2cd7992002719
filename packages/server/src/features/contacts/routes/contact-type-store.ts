import type { ContactType } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';

/** Loads the type of a contact; undefined when the contact does not exist. */
export async function findContactType(
  db: Database,
  accountId: number,
  contactId: number,
): Promise<ContactType | undefined> {
  const row = await db
    .selectFrom('contacts')
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .select('contact_type')
    .executeTakeFirst();
  return row?.contact_type;
}
