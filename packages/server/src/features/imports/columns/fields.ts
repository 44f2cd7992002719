import type { Registry } from '#features/registry/registry.ts';
import type { ColumnMeaning, FoundColumn } from '#platform/database/schema/tables/imports.ts';

const optOutNote =
  'Words such as true, yes and unsubscribed opt the contact out. Words such as false and subscribed change nothing.';

/** The fields of a contact that a column can contain, with the note that the import shows. */
const fields: Readonly<Record<string, { readonly meaning: ColumnMeaning; readonly note?: string }>> = {
  IDENTITY: { meaning: 'identity' },
  EMAIL: { meaning: 'email' },
  MOBILE: { meaning: 'mobile' },
  CONTACT_TYPE: {
    meaning: 'contact_type',
    note: 'anonymous: the row may have no identity. blacklisted: the contact is opted out of e-mail. unconfirmed: the row fails. Other types change nothing.',
  },
  EMAIL_OPTED_OUT: { meaning: 'email_opted_out', note: optOutNote },
  SMS_OPTED_OUT: { meaning: 'sms_opted_out', note: optOutNote },
  WHATSAPP_OPTED_OUT: {
    meaning: 'whatsapp_opted_out',
    note: optOutNote,
  },
};

/** The fields that an import cannot write, with the note that the import shows. */
const readOnly: Readonly<Record<string, string>> = {
  CONTACT_ID: 'Left out: the service assigns this number. To update contacts by it, name it in "columns".',
  CREATED_AT: 'Left out. To store it as the sign-up date of new contacts, map it in "columns".',
  UPDATED_AT: 'Left out: only the service writes this field.',
  LIST_ID: 'Left out: set the lists in "audience_ids" when you create the import.',
  SEGMENT_ID: 'Left out: contacts cannot be added to a segment. Its filter selects them.',
};

/**
 * Returns the field or attribute with a name; undefined when there is none. Fields that cannot be
 * written are skipped columns.
 */
export function knownColumn(header: string, name: string, registry: Registry): FoundColumn | undefined {
  if (name === registry.primaryKey && name !== 'EMAIL' && name !== 'MOBILE')
    return { header, meaning: 'identity', name };
  const field = fields[name];
  if (field !== undefined) return { header, name, ...field };
  const note = readOnly[name];
  if (note !== undefined) return { header, meaning: 'skipped', note };
  const attribute = registry.find(name);
  return attribute === undefined
    ? undefined
    : { header, meaning: 'attribute', name: attribute.name, attribute_id: attribute.id, data_type: attribute.dataType };
}

/** Returns the names of all fields and attributes that a column can be written to. */
export function namesOf(registry: Registry): string[] {
  return [...Object.keys(fields), 'CREATED_AT', ...registry.attributes.map(({ name }) => name)];
}
