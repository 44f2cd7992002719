import type { AttributeCategory, DataType, systemAttributeNames } from '@roster/contract';

/** An attribute that every account has from the start. */
export interface SystemAttribute {
  readonly name: (typeof systemAttributeNames)[number];
  readonly dataType: DataType;
  readonly category: AttributeCategory;
}

/** The attributes of a new account, with ids from 1. They cannot be deleted or renamed. */
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
