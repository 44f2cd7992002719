import { attributesPerAccount, isAttributeName, type DataType } from '@roster/contract';
import type { FormerMasks } from '#features/registry/former-masks.ts';
import { plainAttribute, type Attribute, type Registry, type StoredValue } from '#features/registry/registry.ts';

/** The attributes of an account during a batch: its registry, and those that the batch creates. */
export interface BatchAttributes {
  readonly primaryKey: string;
  /** The primary key if it is a custom attribute. Its value is stored only as the identity. */
  readonly customPrimaryKey: string | undefined;
  /** The default values of a new contact. */
  readonly defaults: readonly { readonly attribute: Attribute; readonly value: StoredValue }[];
  /** Total number of characters of the defaults. */
  readonly defaultsLength: number;
  readonly autoCreate: boolean;
  find(name: string): Attribute | undefined;
  /** Creates an attribute that an item names. Returns a failure code when that is not possible. */
  create(name: string, dataType: DataType): Attribute | 'attribute_unknown' | 'attribute_limit';
  /** The attributes that {@link create} made. */
  readonly created: readonly Attribute[];
}

/** The account data that creating attributes needs. */
export interface NewAttributes {
  readonly lastAttributeId: number;
  readonly autoCreate: boolean;
  readonly formerMasks: FormerMasks;
}

/** Makes the attributes of a batch from the registry of its account. */
export function openBatchAttributes(
  accountId: number,
  registry: Registry,
  { lastAttributeId, autoCreate, formerMasks }: NewAttributes,
): BatchAttributes {
  const created: Attribute[] = [];
  const createdByName = new Map<string, Attribute>();
  const custom = registry.primaryKey === 'EMAIL' || registry.primaryKey === 'MOBILE' ? undefined : registry.primaryKey;
  const defaults = registry.attributes.flatMap((attribute) => {
    const { defaultValue: value } = attribute;
    // The values of a system attribute are invisible while another attribute is mapped to it.
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
