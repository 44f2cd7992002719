import { attributesPerAccount, isAttributeName, type DataType } from '@roster/contract';
import type { FormerMasks } from '#features/registry/former-masks.ts';
import { plainAttribute, type Attribute, type Registry, type StoredValue } from '#features/registry/registry.ts';

/** The attributes of an account during a batch: the registry, and what the batch itself adds to it. */
export interface AttributeBook {
  readonly primaryKey: string;
  /** The primary key when it is a custom attribute; its value is the identity and is not stored a second time. */
  readonly customPrimaryKey: string | undefined;
  /** Default values that a new contact gets, by attribute. */
  readonly defaults: readonly { readonly attribute: Attribute; readonly value: StoredValue }[];
  /** Characters of all defaults together. */
  readonly defaultsLength: number;
  readonly autoCreate: boolean;
  find(name: string): Attribute | undefined;
  /** Creates an attribute that a contact brought along; returns why not when it cannot. */
  create(name: string, dataType: DataType): Attribute | 'attribute_unknown' | 'attribute_limit';
  /** What {@link create} made. */
  readonly created: readonly Attribute[];
}

/** What decides about attributes that contacts bring along. */
export interface NewAttributes {
  readonly lastAttributeId: number;
  readonly autoCreate: boolean;
  readonly formerMasks: FormerMasks;
}

/** Opens the book on a registry. */
export function openAttributeBook(
  accountId: number,
  registry: Registry,
  { lastAttributeId, autoCreate, formerMasks }: NewAttributes,
): AttributeBook {
  const created: Attribute[] = [];
  const createdByName = new Map<string, Attribute>();
  const custom = registry.primaryKey === 'EMAIL' || registry.primaryKey === 'MOBILE' ? undefined : registry.primaryKey;
  const defaults = registry.attributes.flatMap((attribute) => {
    const { defaultValue: value } = attribute;
    // Nobody sees the values of a system attribute while another attribute stands in for it.
    const shadowed = registry.find(attribute.name) !== attribute;
    return value === null || attribute.name === custom || shadowed ? [] : [{ attribute, value }];
  });
  return {
    primaryKey: registry.primaryKey,
    customPrimaryKey: custom,
    defaults,
    defaultsLength: defaults.reduce((sum, { value }) => sum + String(value).length, 0),
    autoCreate,
    find: (name) => registry.find(name) ?? createdByName.get(name),
    create(name, dataType) {
      if (!isAttributeName(name)) return 'attribute_unknown';
      if (registry.attributes.length + created.length >= attributesPerAccount) return 'attribute_limit';
      const id = lastAttributeId + created.length + 1;
      const dataMasking = formerMasks.get(name) ?? 'none';
      const attribute = { ...plainAttribute(accountId, id, name, dataType), dataMasking };
      created.push(attribute);
      createdByName.set(name, attribute);
      return attribute;
    },
    created,
  };
}
