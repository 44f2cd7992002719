import type { DataType } from '../db/tables.ts';

/** An attribute that every account has from the start. */
export interface SystemAttribute {
  readonly name: string;
  readonly dataType: DataType;
  readonly category: string;
}

/** The attributes of a new account, in the order of their ids from 1; not deletable, not renamable (decisions §4). */
export const systemAttributes: readonly SystemAttribute[] = [
  { name: 'FIRST_NAME', dataType: 'text', category: 'profile' },
  { name: 'LAST_NAME', dataType: 'text', category: 'profile' },
  { name: 'GENDER', dataType: 'text', category: 'demographic' },
  { name: 'BIRTH_DATE', dataType: 'date', category: 'demographic' },
  { name: 'CITY', dataType: 'text', category: 'location' },
  { name: 'STATE', dataType: 'text', category: 'location' },
  { name: 'COUNTRY', dataType: 'text', category: 'location' },
  { name: 'POSTAL_CODE', dataType: 'text', category: 'location' },
  { name: 'LANGUAGE', dataType: 'text', category: 'preference' },
  { name: 'TIME_ZONE', dataType: 'text', category: 'preference' },
];

/** Form of an attribute name, after raising its case (decisions §4). */
export const attributeName = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Most attributes of an account (decisions §4). */
export const attributesPerAccount = 500;

/**
 * Names that no attribute may have (decisions §4): the config and audience fields of a search, in upper case. An attribute of the same
 * name would make a search ambiguous.
 */
export const reservedAttributeNames: ReadonlySet<string> = new Set([
  'IDENTITY',
  'CONTACT_ID',
  'CONTACT_TYPE',
  'CREATED_AT',
  'UPDATED_AT',
  'EMAIL',
  'MOBILE',
  'EMAIL_OPTED_OUT',
  'SMS_OPTED_OUT',
  'WHATSAPP_OPTED_OUT',
  'LIST_ID',
  'SEGMENT_ID',
]);
