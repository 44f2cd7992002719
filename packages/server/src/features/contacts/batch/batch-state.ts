import { attributesPerAccount, isAttributeName, type DataType, type FailureCode } from '@roster/contract';
import type { ActivityLedger } from '#features/activities/ledger.ts';
import type { FormerMasks } from '#features/registry/former-masks.ts';
import { plainAttribute, type Attribute, type Registry, type StoredValue } from '#features/registry/registry.ts';
import type { AwaitedOptOuts } from './awaited-opt-outs.ts';
import type { ForgottenPeople } from './forgotten-people.ts';
import type { FormerKeys } from './former-keys.ts';
import type { Identifier } from '../model/identifiers.ts';
import type { WorkingSet } from './working-set.ts';

/** A failure of one item, before it gets its message from the catalogue. */
export interface ItemFailure {
  readonly code: FailureCode;
  /** Path below the item, such as `attributes.CITY`. */
  readonly field?: string;
  /** What exactly is wrong; default: the message of the catalogue. */
  readonly message?: string;
}

/** What became of one item of a request. */
export type Outcome = 'created' | 'updated' | 'unchanged' | 'deleted' | 'failed';

/** A contact that a batch erases. */
export interface PlannedErasure {
  /** The request. */
  readonly erasureId: string;
  readonly contactId: number;
  /** What the contact is known by. */
  readonly identifiers: readonly Identifier[];
  /** RFC 3339 text. */
  readonly contactCreatedAt: string;
  /** When the request was accepted, RFC 3339. */
  readonly acceptedAt: string;
}

/** What a batch of requests sees and changes while it is applied in memory. */
export interface BatchState {
  readonly contacts: WorkingSet;
  /** The attributes as they stand at this point of the order. */
  readonly registry: AttributeBook;
  /** Those lists named by the batch that exist. */
  readonly lists: ReadonlySet<number>;
  /** What the batch does to activities. */
  readonly activities: ActivityLedger;
  /** Setting of the account. */
  readonly activityRetentionMonths: number;
  readonly awaitedOptOuts: AwaitedOptOuts;
  /** Who had other keys before. */
  readonly formerKeys: FormerKeys;
  readonly forgotten: ForgottenPeople;
  /** The erasures of the batch, in order. */
  readonly erasures: PlannedErasure[];
  /** A new key for an anonymous contact. */
  readonly newId: () => string;
}

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
  /** Creates an attribute that a contact brought along; answers why not when it cannot. */
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
