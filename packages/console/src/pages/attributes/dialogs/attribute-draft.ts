import type { AttributeChange, NewAttribute, OperatorAttribute } from '@roster/client';
import { attributeNamePattern, reservedAttributeNames, upperCaseName } from '@roster/contract/text/attribute-names.ts';
import type { TypedValue } from '#components/inputs/typed-value-input.tsx';

/** Data type of an attribute. */
export type DataType = OperatorAttribute['data_type'];
/** How the values of an attribute are hidden. */
export type Masking = OperatorAttribute['data_masking'];
/** Category of an attribute. */
export type Category = OperatorAttribute['category'];

/** All data types. */
export const dataTypes: readonly DataType[] = ['text', 'long_text', 'number', 'boolean', 'date', 'datetime'];
/** All masks, from the weakest to the strongest. */
export const maskings: readonly Masking[] = ['none', 'partial', 'full'];
/** All categories. */
export const categories: readonly Category[] = [
  'custom',
  'profile',
  'demographic',
  'location',
  'behaviour',
  'transaction',
  'preference',
];

/** What a person enters for a new attribute, or changes in an attribute. */
export interface AttributeDraft {
  readonly name: string;
  readonly type: DataType;
  readonly category: Category;
  readonly masking: Masking;
  readonly mapping: string | null;
  /** The default value. Undefined: it is masked for the person, and stays as it is. */
  readonly value: TypedValue | undefined;
}

/** A field of the draft. */
export type DraftField = keyof AttributeDraft;

/** The draft of a new attribute. */
export const newDraft: AttributeDraft = {
  name: '',
  type: 'text',
  category: 'custom',
  masking: 'none',
  mapping: null,
  value: null,
};

/** Returns the draft of an existing attribute. `isHidden`: its default value is masked for the person. */
export function draftOf(attribute: OperatorAttribute, isHidden: boolean): AttributeDraft {
  const { name, data_type: type, category, data_masking: masking, mapping, default_value: value } = attribute;
  return { name, type, category, masking, mapping, value: isHidden && value !== null ? undefined : value };
}

/** Converts what a person types to the form of a name: upper case, without spaces. */
export function typedName(text: string): string {
  return upperCaseName(text).replaceAll(/[\s-]/g, '_').slice(0, 64);
}

/** Returns why a name is not possible, or undefined. */
export function nameProblem(name: string): 'form' | 'reserved' | undefined {
  if (!attributeNamePattern.test(name)) return 'form';
  return (reservedAttributeNames as readonly string[]).includes(name) ? 'reserved' : undefined;
}

/** Changes the data type of a draft. The mapping and the default value stay only if they fit. */
export function withType(draft: AttributeDraft, type: DataType): AttributeDraft {
  const isText = type === 'text' || type === 'long_text';
  const { value } = draft;
  const kept = value === undefined || value === null ? value : isText ? String(value) : null;
  return { ...draft, type, mapping: null, value: kept };
}

const widenings: Partial<Record<DataType, readonly DataType[]>> = {
  text: ['number', 'boolean', 'date', 'datetime'],
  long_text: ['text'],
};

/**
 * Returns the data types that an attribute can have: the present one, those that keep all values,
 * and all others if no value would be lost and nothing uses the attribute.
 */
export function possibleTypes(
  { data_type: type, filled }: Pick<OperatorAttribute, 'data_type' | 'filled'>,
  isUsed: boolean,
): readonly DataType[] {
  if (filled === 0 && !isUsed) return dataTypes;
  return dataTypes.filter((to) => to === type || widenings[to]?.includes(type) === true);
}

/** Returns the system attributes to which an attribute of a type can be mapped. */
export function mappingTargets(
  all: readonly OperatorAttribute[],
  { type, name }: { readonly type: DataType; readonly name: string | undefined },
): string[] {
  const taken = new Set(all.filter((one) => one.name !== name).map(({ mapping }) => mapping));
  return all.filter((one) => one.system && one.data_type === type && !taken.has(one.name)).map((one) => one.name);
}

/** Returns the draft as the API takes a new attribute. */
export function newAttributeOf({ name, type, category, masking, mapping, value }: AttributeDraft): NewAttribute {
  return {
    name,
    data_type: type,
    category,
    data_masking: masking,
    ...(mapping !== null && { mapping }),
    ...(value !== null && value !== undefined && { default_value: value }),
  };
}

/** Returns the fields that a draft changes, as the API takes them; undefined if it changes nothing. */
export function changeOf(attribute: OperatorAttribute, draft: AttributeDraft): AttributeChange | undefined {
  const { name, type, category, masking, mapping, value } = draft;
  const change = {
    ...(name !== attribute.name && { new_name: name }),
    ...(type !== attribute.data_type && { data_type: type }),
    ...(category !== attribute.category && { category }),
    ...(masking !== attribute.data_masking && { data_masking: masking }),
    ...(mapping !== attribute.mapping && { mapping }),
    ...(value !== undefined && value !== attribute.default_value && { default_value: value }),
  };
  return Object.keys(change).length === 0 ? undefined : { id: attribute.id, ...change };
}

const draftFields: Readonly<Record<string, DraftField>> = {
  name: 'name',
  new_name: 'name',
  data_type: 'type',
  category: 'category',
  data_masking: 'masking',
  mapping: 'mapping',
  default_value: 'value',
};

/** What the API says about a draft: by field, and the rest. */
export interface DraftFaults {
  readonly fields: Readonly<Partial<Record<DraftField, string>>>;
  readonly others: readonly string[];
}

/** Sorts faults of a request, or failures of its item, by the fields of the draft. */
export function faultsByField(
  faults: readonly { readonly field?: string | undefined; readonly message: string }[],
): DraftFaults {
  const fields: Partial<Record<DraftField, string>> = {};
  const others: string[] = [];
  for (const { field = '', message } of faults) {
    const name = draftFields[field.split('.').at(-1)!];
    const text = message.charAt(0).toUpperCase() + message.slice(1);
    if (name === undefined || fields[name] !== undefined) others.push(text);
    else fields[name] = text;
  }
  return { fields, others };
}
