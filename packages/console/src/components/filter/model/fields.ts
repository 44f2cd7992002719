import type { DerivedAttribute, OperatorAttribute } from '@roster/client';
import type { FieldType } from './field-types.ts';

/** The category of a field. */
export type FieldCategory = 'config' | 'audience' | 'attribute' | 'derived' | 'activity';

/** A field of contacts that filters, columns and sortings can use. */
export interface ContactField {
  /** Lower case for fields of all accounts and derived attributes, upper case for attributes. */
  readonly name: string;
  readonly category: FieldCategory;
  readonly type: FieldType;
  /** The values are masked for this person, so the field cannot be used in filters or sortings. */
  readonly isMasked: boolean;
  /** Undefined for fields that are not attributes. */
  readonly attribute?: OperatorAttribute;
}

const fixedTypes = {
  contact_id: 'id',
  contact_type: 'contact_type',
  identity: 'identity',
  email: 'email',
  mobile: 'mobile',
  created_at: 'datetime',
  updated_at: 'datetime',
  email_opted_out: 'boolean',
  sms_opted_out: 'boolean',
  whatsapp_opted_out: 'boolean',
  list_id: 'list',
  segment_id: 'segment',
} as const satisfies Record<string, FieldType>;

/** Name of a field that every account has. The texts `filter.fields` name them. */
export type FixedFieldName = keyof typeof fixedTypes;

/** The fields that every account has, in the order of the builder. */
export const fixedFieldNames = Object.keys(fixedTypes) as FixedFieldName[];

/** The field that stands for the activities of a contact. Only filters can use it. */
export const activityField = 'activity';

/** Tells whether a field exists in every account. */
export function isFixedField(name: string): name is FixedFieldName {
  return Object.hasOwn(fixedTypes, name);
}

/** The fields of an account. */
export interface ContactFields {
  /** All fields, by name. */
  readonly byName: ReadonlyMap<string, ContactField>;
  readonly primaryKey: string;
}

/**
 * Makes the fields of an account. EMAIL, MOBILE and the primary key are the fields `email`,
 * `mobile` and `identity`. `unmasked`: whether the person sees masked values. `derived`: the derived
 * attributes that the person can use.
 */
export function contactFields(
  attributes: readonly OperatorAttribute[],
  primaryKey: string,
  unmasked: boolean,
  derived: readonly DerivedAttribute[] = [],
): ContactFields {
  const isMasked = (attribute: OperatorAttribute | undefined): boolean =>
    !unmasked && attribute !== undefined && attribute.data_masking !== 'none';
  const byName = new Map<string, ContactField>();
  for (const name of fixedFieldNames) {
    const attribute = name === 'identity' ? attributes.find((one) => one.name === primaryKey) : undefined;
    const category = name === 'list_id' || name === 'segment_id' ? 'audience' : 'config';
    byName.set(name, { name, category, type: fixedTypes[name], isMasked: isMasked(attribute) });
  }
  byName.set(activityField, { name: activityField, category: 'activity', type: 'activity', isMasked: false });
  for (const attribute of attributes) {
    const { name, data_type: type } = attribute;
    if (name === 'EMAIL' || name === 'MOBILE' || name === primaryKey) continue;
    byName.set(name, { name, category: 'attribute', type, isMasked: isMasked(attribute), attribute });
  }
  for (const { name, data_type: type } of derived) {
    byName.set(name, { name, category: 'derived', type, isMasked: false });
  }
  return { byName, primaryKey };
}

/**
 * Returns the field that a name of the API means, in any letter case. Returns undefined for an
 * unknown field.
 */
export function findField({ byName, primaryKey }: ContactFields, name: string): ContactField | undefined {
  const upper = name.toUpperCase();
  if (upper === 'EMAIL' || upper === 'MOBILE') return byName.get(upper.toLowerCase());
  if (upper === primaryKey) return byName.get('identity');
  return byName.get(name) ?? byName.get(name.toLowerCase()) ?? byName.get(upper);
}

/** Tells whether contacts can be sorted by a field. */
export function isSortable({ type, isMasked }: ContactField): boolean {
  return !isMasked && type !== 'long_text' && type !== 'list' && type !== 'segment' && type !== 'activity';
}
