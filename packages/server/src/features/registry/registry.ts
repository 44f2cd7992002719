import { upperCaseName, type DataMasking, type DataType } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { stricterMask } from './masks.ts';

/** A value as it is stored in `contacts.attributes`: numbers and booleans as such, everything else as text. */
export type StoredValue = string | number | boolean;

/** One attribute of the registry of an account. */
export interface Attribute {
  /** Number within the account; never given twice. */
  readonly id: number;
  /** Key in `contacts.attributes`, see {@link attributeKey}. */
  readonly key: string;
  /** Name in upper case. */
  readonly name: string;
  readonly dataType: DataType;
  readonly defaultValue: StoredValue | null;
  /** Name of the system attribute that this attribute stands in for, or null. */
  readonly mapping: string | null;
  /** In a {@link Registry}, that of the system attribute that this one stands in for where it hides more. */
  readonly dataMasking: DataMasking;
  readonly system: boolean;
  /** The type in which values of a text may still be stored, until the background has turned them into text; null: none. */
  readonly widenedFrom: 'number' | 'boolean' | null;
  /** Indexes on the values are ready (docs/decisions/0011-attribute-indexes.md): searches are put so that the server can use them. */
  readonly indexed: boolean;
}

/**
 * The key of an attribute in `contacts.attributes`: the account and the number of the attribute in it. No two accounts share a key, so that
 * the index over all contacts finds those of one account by the key alone (docs/decisions/0006-attribute-keys.md).
 */
export function attributeKey(accountId: number, attributeId: number): string {
  return `${accountId}.${attributeId}`;
}

/** A custom attribute as it is when a contact or a file is the first to name it: without default, mapping and mask. */
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
    indexed: false,
  };
}

/** The attributes of one account as they stand at one moment. */
export interface Registry {
  /** Name of the attribute whose value is the identity: EMAIL, MOBILE or a custom text attribute. */
  readonly primaryKey: string;
  /** Time zone of the account: a plain day in a filter is one of it. */
  readonly timeZone: string;
  readonly attributes: readonly Attribute[];
  /** The attribute that a name means, in any letter case, mappings followed; undefined when there is none. */
  find(name: string): Attribute | undefined;
  /** The attribute that has a name itself, in any letter case, whichever stands in for it. */
  named(name: string): Attribute | undefined;
  byId(id: number): Attribute | undefined;
}

/** Makes a registry from the attributes of an account, each with its own mask. Callers that check no filter need no time zone. */
export function createRegistry(primaryKey: string, own: readonly Attribute[], timeZone = 'UTC'): Registry {
  const attributes = own.map((attribute) => maskedAsTarget(attribute, own));
  const byId = new Map(attributes.map((attribute) => [attribute.id, attribute]));
  const ownNames = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const byName = new Map(ownNames);
  // A mapped system name means the attribute that was mapped to it.
  for (const attribute of attributes) if (attribute.mapping !== null) byName.set(attribute.mapping, attribute);
  return {
    primaryKey,
    timeZone,
    attributes,
    find: (name) => byName.get(name) ?? byName.get(upperCaseName(name)),
    named: (name) => ownNames.get(upperCaseName(name)),
    byId: (id) => byId.get(id),
  };
}

/** What is written under the name of a masked attribute must not be readable by the name of the one that it is mapped to. */
function maskedAsTarget(attribute: Attribute, all: readonly Attribute[]): Attribute {
  const { mapping, dataMasking } = attribute;
  if (mapping === null) return attribute;
  const target = all.find(({ system, name }) => system && name === mapping);
  return target === undefined
    ? attribute
    : { ...attribute, dataMasking: stricterMask(dataMasking, target.dataMasking) };
}

/** The attributes of the account that the expression `account` names, as one JSON array: they are read together with other things. */
export function attributesSql(account: string): string {
  return `(select coalesce(json_agg(json_build_object(
      'id', attribute_id, 'key', account_id || '.' || attribute_id, 'name', name, 'dataType', data_type, 'defaultValue', default_value,
      'mapping', mapping, 'dataMasking', data_masking, 'system', system, 'widenedFrom', widened_from, 'indexed', indexed and indexed_as is not distinct from data_type) order by attribute_id), '[]')
    from attributes where account_id = ${account})`;
}

/** Reads the registry of an account; throws when the account does not exist. */
export async function loadRegistry(db: Database, accountId: number): Promise<Registry> {
  const account = await db
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .select([
      'primary_key',
      'time_zone',
      sql<Attribute[]>`${sql.raw(attributesSql('accounts.account_id'))}`.as('attributes'),
    ])
    .executeTakeFirstOrThrow();
  return createRegistry(account.primary_key, account.attributes, account.time_zone);
}
