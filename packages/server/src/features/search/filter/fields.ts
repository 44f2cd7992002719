import { shownKey, unknownName, type Faults } from '@roster/contract';
import type { Attribute, Registry } from '#features/registry/registry.ts';
import { derivedFields, type DerivedField } from '#features/registry/derived/derived-fields.ts';
import type { Clock } from './time/relative-dates.ts';
import { fieldTypes, type FieldType, type IdentityForm } from './field-types.ts';

/** The categories of fields. */
export type FieldCategory = 'config' | 'audience' | 'attribute' | 'derived' | 'activity';

/** A field of an account that a search can name. */
export interface Field {
  /** Name of the config or audience field in lower case, or of the attribute in upper case. */
  readonly name: string;
  readonly category: FieldCategory;
  readonly type: FieldType;
  /** The attribute. Also present for the primary key, although its values are the identities. */
  readonly attribute?: Attribute;
  /**
   * The system attribute that the caller named, if {@link attribute} is mapped to it. A segment
   * stores the system attribute, because the mapping can change later.
   */
  readonly standsInFor?: Attribute;
  /** The derived attribute, and the moment and time zone of its windows. */
  readonly derived?: DerivedField & { readonly clock: Clock | undefined };
  /** Undefined for all fields except the identity. */
  readonly form: IdentityForm;
  /** The mask for callers without the scope `unmasked`. */
  readonly masking: Attribute['dataMasking'];
}

interface FieldEntry {
  readonly category: 'config' | 'audience';
  readonly type: FieldType;
  readonly doc: string;
}

/** All config and audience fields. Attributes differ between accounts and are not in this table. */
export const fieldTable = {
  contact_id: { category: 'config', type: 'id', doc: 'Number of the contact, assigned by the service.' },
  contact_type: { category: 'config', type: 'contact_type', doc: 'Type of the contact.' },
  identity: {
    category: 'config',
    type: 'identity',
    doc: 'Value of the primary key of the account. Null for anonymous contacts. You can also use the name of the primary key.',
  },
  email: { category: 'config', type: 'email', doc: 'E-mail address. The category `attribute` is accepted, too.' },
  mobile: { category: 'config', type: 'mobile', doc: 'Mobile number. The category `attribute` is accepted, too.' },
  created_at: { category: 'config', type: 'datetime', doc: 'When the contact was created.' },
  updated_at: { category: 'config', type: 'datetime', doc: 'When the contact last changed.' },
  email_opted_out: { category: 'config', type: 'boolean', doc: 'True if the contact opted out of e-mail.' },
  sms_opted_out: { category: 'config', type: 'boolean', doc: 'True if the contact opted out of SMS.' },
  whatsapp_opted_out: { category: 'config', type: 'boolean', doc: 'True if the contact opted out of WhatsApp.' },
  list_id: {
    category: 'audience',
    type: 'list',
    doc: 'Lists of the contact: an array of numbers, empty if it is in no list.',
  },
  segment_id: {
    category: 'audience',
    type: 'segment',
    doc: 'Segments of the contact. Not possible as an output field.',
  },
} as const satisfies Record<string, FieldEntry>;

/** Name of a config or audience field. */
export type FieldName = keyof typeof fieldTable;

/**
 * The activities of a contact. Not in {@link fieldTable}, because they are no value of a contact:
 * they can be neither in the output nor in a sorting. An attribute can have the same name.
 */
const activityField: Field = {
  name: 'activity',
  category: 'activity',
  type: 'activity',
  form: undefined,
  masking: 'none',
};

const byName = new Map<string, FieldEntry>(Object.entries(fieldTable));

/** Returns a config or audience field. */
export function fixedField(registry: Registry, name: FieldName): Field {
  const { category, type } = fieldTable[name];
  if (name !== 'identity') return { name, category, type, form: undefined, masking: 'none' };
  // The identity is the value of the primary key, so the mask of that attribute applies to it.
  const masking = primaryKeyOf(registry)?.dataMasking ?? 'none';
  return { name, category, type, form: identityForm(registry), masking };
}

/** Makes the field of an attribute. The primary key gets the type `identity`. */
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

/**
 * Returns all fields that a name can mean, in any letter case. There are two if an attribute has
 * the same name as a config or audience field, which comes first.
 */
function candidates(registry: Registry, name: string): Field[] {
  const fixed = name.trim().toLowerCase();
  const attribute = registry.find(name.trim());
  const derived = derivedFields.get(fixed);
  return [
    ...(derived === undefined ? [] : [derivedField(registry, derived)]),
    ...(byName.has(fixed) ? [fixedField(registry, fixed as FieldName)] : []),
    ...(attribute === undefined ? [] : [namedField(registry, attribute, name.trim())]),
  ];
}

/** Makes the field of a derived attribute. */
export function derivedField({ now, timeZone }: Registry, definition: DerivedField): Field {
  const { name, type } = definition;
  const clock = now === undefined ? undefined : { now: now.getTime(), timeZone };
  return { name, category: 'derived', type, derived: { ...definition, clock }, form: undefined, masking: 'none' };
}

/**
 * Returns why a caller cannot use a field now; undefined when he can. Only derived attributes can be
 * refused: the account may not have them, and they tell about activities. `activity`: the caller may
 * see activities.
 */
export function refusedField(
  field: Field,
  registry: Registry,
  activity: boolean,
): { readonly code: 'missing_scope' | 'not_supported'; readonly message: string } | undefined {
  if (field.derived === undefined) return undefined;
  const { name } = field;
  if (!activity) {
    return { code: 'missing_scope', message: `${name} is computed from activities. To use it, you need activity:read` };
  }
  if (registry.derived === 'ready') return undefined;
  const reason =
    registry.derived === 'off'
      ? 'and the account has none. Switch on its setting derived_attributes'
      : 'and these are still being computed from the activities. Try again when this is done';
  return { code: 'not_supported', message: `is a derived attribute, ${reason}` };
}

function namedField(registry: Registry, attribute: Attribute, name: string): Field {
  const field = attributeField(registry, attribute);
  const named = registry.named(name);
  return named === undefined || named === attribute ? field : { ...field, standsInFor: named };
}

/**
 * Finds a field by its name, in any letter case, and its category.
 *
 * The category is optional if the name is unambiguous. EMAIL and MOBILE are config fields, but the
 * category `attribute` is accepted. `activity` means an attribute with this name if there is one,
 * unless the category says otherwise. Adds faults at `field` and `field_category`.
 */
export function findField(
  registry: Registry,
  name: string,
  category: FieldCategory | undefined,
  faults: Faults,
): Field | undefined {
  const named = candidates(registry, name);
  const isActivity = name.trim().toLowerCase() === activityField.name;
  const found = isActivity && (named.length === 0 || category === 'activity') ? [activityField] : named;
  if (found.length === 0) {
    if (faults.full) return undefined;
    return faults.add('unknown_field', unknownField(registry, name, [activityField.name]), 'field');
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

/**
 * Makes the message for an unknown field, with the name that the caller probably meant. `others`
 * has the names that are fields only in this place.
 */
export function unknownField(registry: Registry, name: string, others: readonly string[] = []): string {
  const names = [
    ...byName.keys(),
    ...others,
    ...registry.attributes.map((attribute) => attribute.name),
    ...(registry.derived === 'off' ? [] : derivedFields.keys()),
  ];
  if (name.includes(','))
    return `${shownKey(name)} is not a field. To name several fields, send an array: ["CITY", "AGE"].`;
  return unknownName(name, 'a field', names, 'Send the name of an attribute of the account or of a field of contacts.');
}

/** Finds a field for output or sorting, without a category. Prefers a config or audience field. */
export function findOutputField(registry: Registry, name: string): Field | undefined {
  return candidates(registry, name)[0];
}

/** True for a field that is stored in the JSON document of a contact. */
export function isInDocument(field: Field): boolean {
  return field.attribute !== undefined && field.type !== 'identity';
}

/** True when contacts can be sorted by the field. */
export function isSortable(field: Field): boolean {
  return fieldTypes[field.type].sortable;
}

/** Tells whether a name can mean a field whose values are masked. */
export function isMaskedName(registry: Registry, name: string): boolean {
  return candidates(registry, name).some(
    ({ masking, standsInFor }) => masking !== 'none' || (standsInFor?.dataMasking ?? 'none') !== 'none',
  );
}
