import type { Refusal } from '#features/registry/refusal.ts';
import type { PipelineContext, WholeResult } from '#pipeline/operations/operation.ts';
import { attributesPerAccount, type CreateAttributesBody } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import type { AttributeRow, NewAttribute } from '#features/registry/attribute-store.ts';
import { addAttributes } from '#features/registry/attributes.ts';
import { coerce } from '#features/registry/coerce.ts';
import { defaultsRefusal } from '#features/registry/defaults.ts';
import { formerMaskRefusal, type FormerMasks } from '#features/registry/former-masks.ts';
import { mappingRefusal, type MappedAttribute } from './mapping.ts';
import type { StoredValue } from '#features/registry/registry.ts';
import { openRegistry, refused, type OpenRegistry } from './registry-change.ts';

type Definition = CreateAttributesBody['data'][number];
type Account = Pick<OpenRegistry['account'], 'primary_key'>;
/** What an attribute is created beside. */
interface Surroundings {
  readonly account: Account;
  readonly rows: readonly Neighbour[];
  readonly formerMasks: FormerMasks;
}
/** An attribute, as far as others depend on it. */
type Neighbour = MappedAttribute & Pick<AttributeRow, 'default_value'>;

/** Creates the attributes of an accepted request, those that can be. */
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

/** The masks that names keep from a caller who has the scope `unmasked`. */
export const noMasks: FormerMasks = new Map();

/** Why each attribute cannot be created beside those that there are and those before it; undefined for one that can. */
export function creationRefusals(
  { account, rows, formerMasks }: Surroundings,
  definitions: readonly Definition[],
): (Refusal | undefined)[] {
  const all = [...rows];
  return definitions.map((definition) => {
    const refusal = creationRefusal({ account, rows: all, formerMasks }, definition);
    if (refusal === undefined) all.push(toNeighbour(definition));
    return refusal;
  });
}

function creationRefusal({ account, rows, formerMasks }: Surroundings, definition: Definition): Refusal | undefined {
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
  const attribute = toNeighbour(definition);
  return (
    formerMaskRefusal(formerMasks, toNewAttribute(definition), 'name') ??
    mappingRefusal(account, rows, attribute) ??
    defaultsRefusal([...rows, attribute], attribute)
  );
}

function toNeighbour(definition: Definition): Neighbour {
  const { name, data_type, mapping = null } = definition;
  return { name, data_type, mapping, system: false, default_value: storedDefault(definition) };
}

function storedDefault({ data_type: dataType, default_value: given }: Definition): StoredValue | null {
  // The envelope was refused unless it fits.
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
