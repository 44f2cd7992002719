import type { ContactProfile } from '@roster/contract';
import { sql } from 'kysely';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import type { Registry } from '#features/registry/registry.ts';
import { derivedField } from '#features/search/filter/fields.ts';
import { oldestActivity } from '#features/search/filter/resolve.ts';
import { createRowReader } from '#features/search/page/rows.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** The contact, and the moment of the windows. */
interface OneContact {
  readonly accountId: number;
  readonly contactId: number;
  readonly now: Date;
}

/** Returns the derived attributes of a contact; none while the account does not have them. */
export async function derivedValues(
  db: Database,
  registry: Registry,
  { accountId, contactId, now }: OneContact,
): Promise<ContactProfile['derived_attributes']> {
  if (registry.derived !== 'ready') return [];
  const fields = [...derivedFields.values()];
  const reader = createRowReader(
    [],
    fields.map((one) => ({ name: one.name, field: derivedField({ ...registry, now }, one) })),
    {
      accountId,
      clock: { now: now.getTime(), timeZone: registry.timeZone },
      oldestActivity: oldestActivity(registry, now),
      hasMoves: true,
      unmasked: true,
      removedLists: [],
    },
  );
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(reader.valueColumns)} from contacts
    where contacts.account_id = ${accountId} and contacts.contact_id = ${contactId}`.execute(db);
  const values = reader.toAnswer(rows[0] ?? {});
  return fields.map(({ name, type }) => ({ name, data_type: type, value: values[name] as number | string | null }));
}
