import { shownKey, unknownName, type Faults } from '@roster/contract';
import type { Attribute, Registry } from '#features/registry/registry.ts';
import { fieldTypes, type FieldType, type IdentityForm } from './field-types.ts';

/** The categories of fields. */
export type FieldCategory = 'config' | 'audience' | 'attribute';

/** A field that a search can name, as it stands for one account. */
export interface Field {
  /** Name of the config or audience field in lower case, or of the attribute in upper case. */
  readonly name: string;
  readonly category: FieldCategory;
  readonly type: FieldType;
  /** The attribute that was named; also for the primary key, whose values are the identities. */
  readonly attribute?: Attribute;
  /** The attribute that has the name that was given, if {@link attribute} stands in for it: what is stored must follow the mappings of then. */
  readonly standsInFor?: Attribute;
  /** Of the identity only. */
  readonly form: IdentityForm;
  /** How the values are hidden from callers without the scope `unmasked`. */
  readonly masking: Attribute['dataMasking'];
}

interface FieldEntry {
  readonly category: 'config' | 'audience';
  readonly type: FieldType;
  readonly doc: string;
}

/** Every config and audience field; the attributes of the account come besides. */
export const fieldTable = {
  contact_id: { category: 'config', type: 'id', doc: 'Number of the contact, given by the service.' },
  contact_type: { category: 'config', type: 'contact_type', doc: 'Type of the contact.' },
  identity: {
    category: 'config',
    type: 'identity',
    doc: 'Value of the primary key of the account; null for anonymous contacts. The name of the primary key means the same.',
  },
  email: { category: 'config', type: 'email', doc: 'E-mail address; also accepted as an attribute.' },
  mobile: { category: 'config', type: 'mobile', doc: 'Mobile number; also accepted as an attribute.' },
  created_at: { category: 'config', type: 'datetime', doc: 'When the contact was created.' },
  updated_at: { category: 'config', type: 'datetime', doc: 'When the contact last changed.' },
  email_opted_out: { category: 'config', type: 'boolean', doc: 'Opted out of e-mail.' },
  sms_opted_out: { category: 'config', type: 'boolean', doc: 'Opted out of SMS.' },
  list_id: { category: 'audience', type: 'list', doc: 'Lists that the contact is a member of; null for none.' },
  segment_id: {
    category: 'audience',
    type: 'segment',
    doc: 'Segments that the contact falls into. Not an output field.',
  },
} as const satisfies Record<string, FieldEntry>;

/** Name of a config or audience field. */
export type FieldName = keyof typeof fieldTable;

const byName = new Map<string, FieldEntry>(Object.entries(fieldTable));

/** The config or audience field of a name in an account. */
export function fixedField(registry: Registry, name: FieldName): Field {
  const { category, type } = fieldTable[name];
  if (name !== 'identity') return { name, category, type, form: undefined, masking: 'none' };
  // The identity is the value of the primary key: it must not show what a mask on that attribute hides.
  const masking = primaryKeyOf(registry)?.dataMasking ?? 'none';
  return { name, category, type, form: identityForm(registry), masking };
}

/** The attribute as a field. The values of the primary key are the identities: it is stored there, not among the attributes. */
export function attributeField(registry: Registry, attribute: Attribute): Field {
  const type = attribute === primaryKeyOf(registry) ? 'identity' : attribute.dataType;
  return {
    name: attribute.name,
    category: 'attribute',
    type,
    attribute,
    form: undefined,
    masking: attribute.dataMasking,
  };
}

function primaryKeyOf(registry: Registry): Attribute | undefined {
  return registry.find(registry.primaryKey);
}

function identityForm({ primaryKey }: Registry): IdentityForm {
  if (primaryKey === 'EMAIL') return 'email';
  return primaryKey === 'MOBILE' ? 'mobile' : undefined;
}

/** Every field that a name in any letter case means; more than one only if an attribute is named like a field of the service. */
function candidates(registry: Registry, name: string): Field[] {
  const fixed = name.trim().toLowerCase();
  const attribute = registry.find(name.trim());
  return [
    ...(byName.has(fixed) ? [fixedField(registry, fixed as FieldName)] : []),
    ...(attribute === undefined ? [] : [namedField(registry, attribute, name.trim())]),
  ];
}

function namedField(registry: Registry, attribute: Attribute, name: string): Field {
  const field = attributeField(registry, attribute);
  const named = registry.named(name);
  return named === undefined || named === attribute ? field : { ...field, standsInFor: named };
}

/**
 * Finds the field that a name means, in any letter case.
 *
 * `category` may be left out where the name is unambiguous; one that does not fit is a fault. EMAIL and MOBILE are config fields that
 * callers may call attributes. Faults go to `field` and `field_category` below the place.
 */
export function findField(
  registry: Registry,
  name: string,
  category: FieldCategory | undefined,
  faults: Faults,
): Field | undefined {
  const found = candidates(registry, name);
  if (found.length === 0) {
    if (faults.full) return undefined;
    return faults.add('unknown_field', unknownField(registry, name), 'field');
  }
  const fitting = category === undefined ? found : found.filter((field) => fits(field, category));
  if (fitting.length === 0) {
    return faults.add('not_supported', `must be ${found[0]!.category} for this field, or left out`, 'field_category');
  }
  if (fitting.length > 1) {
    return faults.add(
      'required',
      'is required, because an attribute has the same name as a field of contacts',
      'field_category',
    );
  }
  return fitting[0];
}

function fits(field: Field, category: FieldCategory): boolean {
  return (
    field.category === category || (category === 'attribute' && (field.name === 'email' || field.name === 'mobile'))
  );
}

/** Says that no field has a name, and which one was probably meant. */
export function unknownField(registry: Registry, name: string): string {
  const names = [...byName.keys(), ...registry.attributes.map((attribute) => attribute.name)];
  if (name.includes(','))
    return `${shownKey(name)} is not a field. To name several fields, send an array: ["CITY", "AGE"].`;
  return unknownName(name, 'a field', names, 'Send the name of an attribute of the account or of a field of contacts.');
}

/** Finds the field of a name for output or sorting, where no category can be given; a field of the service goes before an attribute. */
export function findOutputField(registry: Registry, name: string): Field | undefined {
  return candidates(registry, name)[0];
}

/** True when contacts can be sorted by the field. */
export function isSortable(field: Field): boolean {
  return fieldTypes[field.type].sortable;
}
