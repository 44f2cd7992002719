import type { Refusal } from '#features/registry/refusal.ts';
import type { PipelineContext, WholeResult } from '#pipeline/operations/operation.ts';
import { attributesPerAccount, type CreateAttributesBody } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import type { AttributeRow, NewAttribute } from '#features/registry/attribute-store.ts';
import { addAttributes } from '#features/registry/add-attributes.ts';
import { coerce } from '#features/registry/coerce.ts';
import { defaultsRefusal } from '#features/registry/defaults.ts';
import { formerMaskRefusal, type FormerMasks } from '#features/registry/former-masks.ts';
import { mappingRefusal, type MappedAttribute } from './mapping.ts';
import type { StoredValue } from '#features/registry/registry.ts';
import { openRegistry, refused, type OpenRegistry } from './registry-change.ts';

type Definition = CreateAttributesBody['data'][number];
type Account = Pick<OpenRegistry['account'], 'primary_key'>;
/** The account data that decides whether an attribute can be created. */
interface CreationScope {
  readonly account: Account;
  readonly rows: readonly OtherAttribute[];
  readonly formerMasks: FormerMasks;
}
/** The fields of an attribute that matter for the creation of other attributes. */
type OtherAttribute = MappedAttribute & Pick<AttributeRow, 'default_value'>;

/** Creates the attributes of an accepted request. Skips those that are refused. */
export async function applyCreateAttributes(
  trx: Database,
  accountId: number,
  { attributes, actor, unmasked }: Payloads['attribute.create'],
  tools: PipelineContext,
): Promise<WholeResult[]> {
  const { account, rows, formerMasks } = await openRegistry(trx, accountId);
  const refusals = creationRefusals({ account, rows, formerMasks: unmasked ? noMasks : formerMasks }, attributes);
  const created = attributes.filter((_, index) => refusals[index] === undefined).map(toNewAttribute);
  await addAttributes(trx, tools, accountId, created, actor);
  return refusals.map((refusal) => (refusal === undefined ? { outcome: 'created', failures: [] } : refused([refusal])));
}

/** No former masks. For callers with the scope `unmasked`, who may use any name. */
export const noMasks: FormerMasks = new Map();

/**
 * Returns for each definition why the attribute cannot be created, or undefined if it can. Takes
 * the existing attributes and the earlier definitions into account.
 */
export function creationRefusals(
  { account, rows, formerMasks }: CreationScope,
  definitions: readonly Definition[],
): (Refusal | undefined)[] {
  const all = [...rows];
  return definitions.map((definition) => {
    const refusal = creationRefusal({ account, rows: all, formerMasks }, definition);
    if (refusal === undefined) all.push(toOtherAttribute(definition));
    return refusal;
  });
}

function creationRefusal({ account, rows, formerMasks }: CreationScope, definition: Definition): Refusal | undefined {
  const { name } = definition;
  if (rows.some((row) => row.name === name)) {
    return {
      code: 'attribute_exists',
      field: 'name',
      message: `The account already has an attribute ${name}. Choose another name, or update the attribute.`,
    };
  }
  if (rows.length >= attributesPerAccount) {
    const message = `The account already has ${attributesPerAccount} attributes, which is the maximum. Delete one first.`;
    return { code: 'attribute_count', field: 'name', message };
  }
  const attribute = toOtherAttribute(definition);
  return (
    formerMaskRefusal(formerMasks, toNewAttribute(definition), 'name') ??
    mappingRefusal(account, rows, attribute) ??
    defaultsRefusal([...rows, attribute], attribute)
  );
}

function toOtherAttribute(definition: Definition): OtherAttribute {
  const { name, data_type, mapping = null } = definition;
  return { name, data_type, mapping, system: false, default_value: storedDefault(definition) };
}

function storedDefault({ data_type: dataType, default_value: given }: Definition): StoredValue | null {
  // A default that does not fit the type was refused when the body was checked.
  return given === undefined || given === null ? null : (coerce(dataType, given) ?? null);
}

function toNewAttribute(definition: Definition): NewAttribute {
  return {
    name: definition.name,
    dataType: definition.data_type,
    category: definition.category,
    defaultValue: storedDefault(definition),
    mapping: definition.mapping,
    dataMasking: definition.data_masking,
  };
}
