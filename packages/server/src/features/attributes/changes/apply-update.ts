import type { Refusal } from '#features/registry/refusal.ts';
import type { PipelineContext, WholeResult } from '#pipeline/operations/operation.ts';
import type { AttributeReference, DataMasking, DataType, UpdateAttributesBody } from '@roster/contract';
import { announceAccount } from '#features/accounts/store/account-channel.ts';
import { renamePrimaryKey } from '#features/accounts/store/account-store.ts';
import { changedFields, writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import { updateAttributes, type AttributeRow } from '#features/registry/attribute-store.ts';
import { changeDataType, dataTypeRefusal, losingValues } from './data-type-change.ts';
import { coerce, widenedText } from '#features/registry/coerce.ts';
import { defaultForm, defaultsRefusal } from '#features/registry/defaults.ts';
import { forgetMasks, rememberMasks } from '#features/registry/former-masks.ts';
import { mappingRefusal } from './mapping.ts';
import type { Registry } from '#features/registry/registry.ts';
import { findRow, openRegistry, refused, registryOf, unknownAttribute, type OpenRegistry } from './registry-change.ts';
import { maskedDefaultRefusal, unmaskingRefusal, type MaskChange } from './unmasking.ts';
import { loadUsageScope, type UsageScope } from '../usage/usage.ts';

type Change = UpdateAttributesBody['data'][number];

/** One item of an update: the attribute before and after the change. */
interface Step {
  readonly change: Change;
  readonly before: AttributeRow;
  readonly after: AttributeRow;
  /** The mask before the change, including that of a mapping. */
  readonly masking: DataMasking;
}

/**
 * Changes all attributes of a request, or none.
 *
 * Checks each change against the registry as it is after all changes. So two attributes can swap
 * their names.
 */
export async function applyUpdateAttributes(
  trx: Database,
  accountId: number,
  { attributes, actor, unmasked }: Payloads['attribute.update'],
  context: PipelineContext,
): Promise<WholeResult[]> {
  const registry = await openRegistry(trx, accountId);
  const masks = registryOf(registry.account, registry.rows);
  const steps = attributes.map((change) => prepare(registry.rows, masks, change));
  const refusals = await refusalsOf(trx, context, registry, attributes, steps, unmasked);
  if (refusals.some((list) => list.length > 0))
    return refusals.map((list) => refused(list.length > 0 ? list : [notApplied]));

  const at = context.now();
  const changed = steps.filter((step) => step !== undefined).filter(isChange);
  if (changed.length > 0)
    await updateAttributes(
      trx,
      accountId,
      changed.map(({ after }) => after),
      at,
    );
  await updateFormerMasks(trx, accountId, changed);
  for (const { before, after } of changed) {
    if (before.data_type !== after.data_type) await changeDataType(trx, accountId, before, after, at);
    if (registry.account.primary_key === before.name && before.name !== after.name) {
      await renamePrimaryKey(trx, accountId, after.name, at);
      await announceAccount(trx, accountId);
    }
    await writeAudit(trx, context, {
      accountId,
      actor,
      action: 'attribute.update',
      subject: `attribute:${before.attribute_id}`,
      // Do not log the default value, because it can be personal data.
      details: {
        name: before.name,
        changes: changedFields(auditedFields(before), auditedFields(after)),
        default_changed: !sameValue(before, after),
      },
    });
  }
  return steps.map((step) => ({
    outcome: isChange(step!) ? 'updated' : 'unchanged',
    failures: [],
    attributeId: step!.before.attribute_id,
  }));
}

const notApplied: Refusal = {
  code: 'not_applied',
  field: '',
  message: 'Another attribute of the request was refused, so the request changed nothing.',
};

function referenceOf({ id, name }: Change): AttributeReference {
  return id === undefined ? { name: name! } : { id };
}

/** Prepares a change. Returns undefined when the attribute does not exist. */
function prepare(rows: readonly AttributeRow[], masks: Registry, change: Change): Step | undefined {
  const before = findRow(rows, referenceOf(change));
  if (before === undefined) return undefined;
  const dataType = change.data_type ?? before.data_type;
  return {
    change,
    before,
    masking: masks.byId(before.attribute_id)!.dataMasking,
    after: {
      ...before,
      name: change.new_name ?? before.name,
      category: change.category ?? before.category,
      data_type: dataType,
      default_value: defaultAfter(before, change, dataType),
      mapping: change.mapping === undefined ? before.mapping : change.mapping,
      data_masking: change.data_masking ?? before.data_masking,
      widened_from: widenedFrom(before, dataType),
    },
  };
}

/** The new default in stored form. Null if it does not fit, which {@link refusalsOf} reports. */
function defaultAfter(before: AttributeRow, change: Change, dataType: DataType): AttributeRow['default_value'] {
  const { default_value: given = before.default_value } = change;
  if (given === null) return null;
  const isKept = change.default_value === undefined;
  return coerce(dataType, isKept && isText(dataType) ? widenedText(given) : given) ?? null;
}

function isText(dataType: DataType): boolean {
  return dataType === 'text' || dataType === 'long_text';
}

/** The type of values that a sweep still has to convert to text; null if there are none. */
function widenedFrom(before: AttributeRow, dataType: DataType): AttributeRow['widened_from'] {
  if (!isText(dataType)) return null;
  return before.data_type === 'number' || before.data_type === 'boolean' ? before.data_type : before.widened_from;
}

async function refusalsOf(
  trx: Database,
  context: PipelineContext,
  { account, rows, formerMasks }: OpenRegistry,
  given: readonly Change[],
  steps: readonly (Step | undefined)[],
  unmasked: boolean,
): Promise<Refusal[][]> {
  const changes = new Map(steps.flatMap((step) => (step === undefined ? [] : [[step.before, step.after]])));
  const after = rows.map((row) => changes.get(row) ?? row);
  const scope = await loadUsageScope(context, trx, account, rows);
  const masks: MaskChange = { before: registryOf(account, rows), after: registryOf(account, after), formerMasks };
  const losing = await losingValues(trx, account.account_id, changes);
  const seen = new Set<AttributeRow>();
  return steps.map((step, index) => {
    if (step === undefined) return [unknownAttribute(rows, referenceOf(given[index]!))];
    const { change, before, after: row } = step;
    if (seen.has(before)) return [repeated];
    seen.add(before);
    return [
      nameRefusal(after, change, before, row) ?? usedNameRefusal(scope, before, row),
      dataTypeRefusal(scope, after, before, row, losing.has(before)),
      defaultRefusal(change, before, row) ?? defaultsRefusal(after, row, before),
      mappingRefusal({ primary_key: keyAfter(account.primary_key, changes) }, after, row),
      ...(unmasked
        ? []
        : [unmaskingRefusal(masks, before, row), maskedDefaultRefusal(masks.before, before, change.default_value)]),
    ].filter((refusal) => refusal !== undefined);
  });
}

const repeated: Refusal = {
  code: 'attribute_repeated',
  field: '',
  message: 'The request names this attribute twice. Put its changes into one item.',
};

function nameRefusal(
  after: readonly AttributeRow[],
  { id, name, new_name: newName }: Change,
  before: AttributeRow,
  row: AttributeRow,
): Refusal | undefined {
  if (id !== undefined && name !== undefined && name !== before.name) {
    const message = `Attribute ${id} is ${before.name}. Send id or name, not both. To rename the attribute, send new_name.`;
    return { code: 'attribute_not_found', field: 'name', message };
  }
  if (newName === undefined || newName === before.name) return undefined;
  if (before.system) {
    return {
      code: 'attribute_system',
      field: 'new_name',
      message: `${before.name} is a system attribute and cannot be renamed.`,
    };
  }
  const other = after.find((candidate) => candidate !== row && candidate.name === newName);
  if (other === undefined) return undefined;
  return {
    code: 'attribute_exists',
    field: 'new_name',
    message: `The account already has an attribute ${newName}. Choose another name.`,
  };
}

/** Returns why an attribute cannot be renamed: something, such as an import, uses its name. */
function usedNameRefusal({ others }: UsageScope, before: AttributeRow, row: AttributeRow): Refusal | undefined {
  const use = others.find(({ attributeIds, byName }) => byName && attributeIds.includes(before.attribute_id));
  if (use === undefined || before.name === row.name) return undefined;
  const noun = use.feature.replaceAll('_', ' ');
  const message = `${before.name} is in use by the ${noun} ${use.id} (${use.name}). Rename it when the ${noun} has ended.`;
  return { code: 'attribute_in_use', field: 'new_name', message };
}

function defaultRefusal(change: Change, before: AttributeRow, row: AttributeRow): Refusal | undefined {
  const given = change.default_value;
  if (row.default_value !== null || given === null) return undefined;
  if (given !== undefined) {
    return { code: 'attribute_default', field: 'default_value', message: defaultForm(row.data_type, given) };
  }
  if (before.default_value === null) return undefined;
  const message = `The default value does not have the type ${row.data_type}. Send another default_value, or null for none.`;
  return { code: 'attribute_default', field: 'data_type', message };
}

function keyAfter(primaryKey: string, changes: ReadonlyMap<AttributeRow, AttributeRow>): string {
  for (const [before, after] of changes) if (before.name === primaryKey) return after.name;
  return primaryKey;
}

function auditedFields({ name, category, data_type, mapping, data_masking }: AttributeRow) {
  return { name, category, data_type, mapping, data_masking };
}

function sameValue(before: AttributeRow, after: AttributeRow): boolean {
  return before.default_value === after.default_value;
}

/** Stores the masks of names that no attribute has anymore. Deletes those of names in use again. */
async function updateFormerMasks(trx: Database, accountId: number, changed: readonly Step[]): Promise<void> {
  const renamed = changed.filter(({ before, after }) => before.name !== after.name);
  const taken = new Set(renamed.map(({ after }) => after.name));
  await forgetMasks(trx, accountId, [...taken]);
  const given = renamed.filter(({ before }) => !taken.has(before.name));
  await rememberMasks(trx, accountId, new Map(given.map(({ before, masking }) => [before.name, masking])));
}

function isChange({ change, before, after, masking }: Step): boolean {
  // A new default of a masked attribute always counts as a change. Otherwise `updated_at` would
  // show whether a guess of the hidden default is right.
  if (masking !== 'none' && change.default_value !== undefined) return true;
  return !sameValue(before, after) || JSON.stringify(auditedFields(before)) !== JSON.stringify(auditedFields(after));
}
