import { attributesPerAccount, type CreateAttributesBody } from '@roster/contract';
import type { Database } from '../db/database.ts';
import type { Payloads } from '../requests/payload.ts';
import type { NewAttribute } from './attribute-store.ts';
import { addAttributes } from './attributes.ts';
import { coerce } from './coerce.ts';
import { mappingRefusal, type MappedAttribute } from './mapping.ts';
import {
  openRegistry,
  refused,
  type ItemResult,
  type OpenRegistry,
  type Refusal,
  type RegistryTools,
} from './registry-change.ts';

type Definition = CreateAttributesBody['data'][number];

/** Creates the attributes of an accepted request, those that can be (decisions §4). */
export async function applyCreateAttributes(
  trx: Database,
  accountId: number,
  { attributes, actor }: Payloads['attribute.create'],
  tools: RegistryTools,
): Promise<ItemResult[]> {
  const { account, rows: stored } = await openRegistry(trx, accountId);
  const rows: MappedAttribute[] = [...stored];
  const created: NewAttribute[] = [];
  const results = attributes.map((definition): ItemResult => {
    const refusals = creationRefusals({ account, rows }, definition);
    if (refusals.length > 0) return refused(refusals);
    created.push(toNewAttribute(definition));
    rows.push(toMapped(definition));
    return { outcome: 'created', failures: [] };
  });
  await addAttributes(trx, tools, accountId, created, actor);
  return results;
}

/** Why an attribute cannot be created beside those that there are; empty when it can. */
export function creationRefusals(
  {
    account,
    rows,
  }: { readonly account: Pick<OpenRegistry['account'], 'primary_key'>; readonly rows: readonly MappedAttribute[] },
  definition: Definition,
): Refusal[] {
  const { name } = definition;
  if (rows.some((row) => row.name === name)) {
    return [{ code: 'attribute_exists', field: 'name', message: `The account has an attribute ${name} already` }];
  }
  if (rows.length >= attributesPerAccount) {
    const message = `The account has ${attributesPerAccount} attributes, which is the most that it can have`;
    return [{ code: 'attribute_count', field: 'name', message }];
  }
  const mapping = mappingRefusal(account, rows, toMapped(definition));
  return mapping === undefined ? [] : [mapping];
}

function toMapped({ name, data_type, mapping }: Definition): MappedAttribute {
  return { name, data_type, mapping: mapping ?? null, system: false };
}

function toNewAttribute(definition: Definition): NewAttribute {
  const { default_value: given } = definition;
  return {
    name: definition.name,
    dataType: definition.data_type,
    category: definition.category,
    // The envelope was refused unless it fits.
    defaultValue: given === undefined || given === null ? null : coerce(definition.data_type, given),
    mapping: definition.mapping,
    dataMasking: definition.data_masking,
  };
}
