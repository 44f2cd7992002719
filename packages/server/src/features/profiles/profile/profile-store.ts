import type { ContactType, OptOutChannel } from '@roster/contract';
import type { StoredValue } from '#features/registry/registry.ts';
import { readAddress } from '#features/registry/stored-addresses.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** A contact with all its columns. */
export interface ContactRow {
  readonly contact_id: number;
  readonly contact_key: string;
  readonly contact_type: ContactType;
  readonly type_before_blacklisting: ContactType | null;
  readonly email: string | null;
  readonly mobile: string | null;
  readonly attributes: Readonly<Record<string, StoredValue>>;
  readonly list_ids: readonly number[];
  readonly email_opted_out: boolean;
  readonly sms_opted_out: boolean;
  readonly whatsapp_opted_out: boolean;
  readonly opted_in_at: Partial<Record<OptOutChannel, string>> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Returns a contact by its number. */
export async function findContact(db: Database, accountId: number, contactId: number): Promise<ContactRow | undefined> {
  const row = (await db
    .selectFrom('contacts')
    .where('account_id', '=', accountId)
    .where('contact_id', '=', contactId)
    .selectAll()
    .executeTakeFirst()) as ContactRow | undefined;
  if (row === undefined) return undefined;
  const { contact_key: key, email, mobile } = row;
  return { ...row, email: readAddress(email, key), mobile: readAddress(mobile, key) };
}
