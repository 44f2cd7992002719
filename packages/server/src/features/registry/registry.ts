import { defaultAccountSettings, upperCaseName, type DataMasking, type DataType } from '@roster/contract';
import { CompiledQuery } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { DerivedState } from './derived/derived-fields.ts';
import { stricterMask } from './masking.ts';
import type { SlotColumn } from './slots/slot.ts';

/** A value in `contacts.attributes`: a number, a boolean, or text for all other data types. */
export type StoredValue = string | number | boolean;

/** One attribute of the registry of an account. */
export interface Attribute {
  /** The id within the account. It is never used again after the attribute is deleted. */
  readonly id: number;
  /** Key in `contacts.attributes`, see {@link attributeKey}. */
  readonly key: string;
  /** Name in upper case. */
  readonly name: string;
  readonly dataType: DataType;
  readonly defaultValue: StoredValue | null;
  /** The name of the system attribute that this attribute is mapped to, or null. */
  readonly mapping: string | null;
  /** In a {@link Registry}, a mapped attribute has the stricter mask of itself and its target. */
  readonly dataMasking: DataMasking;
  readonly system: boolean;
  /**
   * The previous data type, after a change to text. Some values may still be stored in it until a
   * sweep has converted them. Null when all values are converted.
   */
  readonly widenedFrom: 'number' | 'boolean' | null;
  /**
   * The slot that has the values of all contacts. Null: the attribute is not indexed, or its index
   * is not ready (docs/decisions/0037-attribute-slots.md).
   */
  readonly slot: SlotColumn | null;
}

/**
 * Makes the key of an attribute in `contacts.attributes` from the ids of account and attribute.
 * Accounts share no keys. So a search for a key in the index over all contacts finds only contacts
 * of one account (docs/decisions/0006-attribute-keys.md).
 */
export function attributeKey(accountId: number, attributeId: number): string {
  return `${accountId}.${attributeId}`;
}

/**
 * Makes a custom attribute without default, mapping and mask. For attributes that are created
 * because a contact or an imported file names them.
 */
export function plainAttribute(accountId: number, id: number, name: string, dataType: DataType): Attribute {
  return {
    id,
    key: attributeKey(accountId, id),
    name,
    dataType,
    defaultValue: null,
    mapping: null,
    dataMasking: 'none',
    system: false,
    widenedFrom: null,
    slot: null,
  };
}

/** The attributes of one account at one moment. */
export interface Registry {
  /** The name of the attribute that is the identity: EMAIL, MOBILE or a custom text attribute. */
  readonly primaryKey: string;
  /** The time zone of the account, for plain days in filters. */
  readonly timeZone: string;
  readonly attributes: readonly Attribute[];
  /** Finds an attribute by name, in any letter case. Follows mappings. */
  find(name: string): Attribute | undefined;
  /** Finds an attribute by its own name, in any letter case. Does not follow mappings. */
  named(name: string): Attribute | undefined;
  byId(id: number): Attribute | undefined;
  /** Whether searches can use the derived attributes of the account. */
  readonly derived: DerivedState;
  /** The account keeps the activities of the current month and of so many months before it. */
  readonly activityMonths: number;
  /** The moment of a search, for the windows of derived attributes. Absent: no search. */
  readonly now?: Date;
}

/**
 * Makes a registry from the attributes of an account, each with its own mask.
 * The parameters after the attributes are only necessary for searches.
 */
export function createRegistry(
  primaryKey: string,
  own: readonly Attribute[],
  timeZone = 'UTC',
  derived: DerivedState = 'off',
  activityMonths: number = defaultAccountSettings.activity_retention_months,
): Registry {
  const attributes = own.map((attribute) => maskedAsTarget(attribute, own));
  const byId = new Map(attributes.map((attribute) => [attribute.id, attribute]));
  const ownNames = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const byName = new Map(ownNames);
  // The name of a system attribute means the attribute that is mapped to it.
  for (const attribute of attributes) if (attribute.mapping !== null) byName.set(attribute.mapping, attribute);
  return {
    primaryKey,
    timeZone,
    attributes,
    find: (name) => byName.get(name) ?? byName.get(upperCaseName(name)),
    named: (name) => ownNames.get(upperCaseName(name)),
    byId: (id) => byId.get(id),
    derived,
    activityMonths,
  };
}

/**
 * Gives a mapped attribute the mask of its target, if the mask is stricter. Values that callers
 * write under the name of a masked system attribute must stay hidden.
 */
function maskedAsTarget(attribute: Attribute, all: readonly Attribute[]): Attribute {
  const { mapping, dataMasking } = attribute;
  if (mapping === null) return attribute;
  const target = all.find(({ system, name }) => system && name === mapping);
  return target === undefined
    ? attribute
    : { ...attribute, dataMasking: stricterMask(dataMasking, target.dataMasking) };
}

/** SQL: all attributes of an account as a JSON array. Parameter 1 is the account. */
export const attributesSql = ({
  attributes,
  attribute_slots: slots,
}: Readonly<Record<'attributes' | 'attribute_slots', string>>): string => `(select coalesce(json_agg(json_build_object(
      'id', attribute_id, 'key', account_id || '.' || attribute_id, 'name', name, 'dataType', data_type, 'defaultValue', default_value,
      'mapping', mapping, 'dataMasking', data_masking, 'system', system, 'widenedFrom', widened_from, 'slot', case when indexed and indexed_as = data_type then (
        select slot from ${slots} s
        where s.account_id = $1 and s.attribute_id = a.attribute_id and s.data_type = a.data_type and s.state = 'filled') end) order by attribute_id), '[]')
    from ${attributes} a where account_id = $1)`;

/** The columns of {@link registryColumns}. */
export interface RegistryRow {
  readonly primary_key: string;
  readonly time_zone: string;
  readonly attributes: readonly Attribute[];
  readonly derived: DerivedState | null;
  readonly activity_months: number | null;
}

/** The SQL of the columns of a registry, in a statement on `accounts`. Parameter 1 is the account. */
export const registryColumns = `
  primary_key, time_zone, ${attributesSql({ attributes: 'attributes', attribute_slots: 'attribute_slots' })} as attributes,
  (settings ->> 'activity_retention_months')::int as activity_months,
  (select case when usable then 'ready' else 'building' end
    from activity_summary_states s where s.account_id = $1 and wanted) as derived`;

/** The SQL of a registry. */
const registrySql = `select ${registryColumns} from accounts where account_id = $1`;

/** Loads the registry of an account. Throws when the account does not exist. */
export async function loadRegistry(db: Database, accountId: number): Promise<Registry> {
  const { rows } = await db.executeQuery<RegistryRow>(CompiledQuery.raw(registrySql, [accountId]));
  return registryFrom(rows[0]);
}

/** Makes the registry from its row. Throws when the account does not exist. */
export function registryFrom(row: RegistryRow | undefined): Registry {
  if (row === undefined) throw new Error('the account does not exist');
  const { primary_key: primaryKey, attributes, time_zone: timeZone, derived, activity_months: months } = row;
  return createRegistry(primaryKey, attributes, timeZone, derived ?? undefined, months ?? undefined);
}
