import {
  Faults,
  type AttributeReference,
  type AttributeUsageBody,
  type CreateAttributesBody,
  type FaultCode,
  type FailureCode,
  type PartlyRead,
} from '@roster/contract';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Credential } from '#platform/http/authentication/credential.ts';
import type { Context } from '#platform/context.ts';
import { faultsError } from '#platform/errors/api-error.ts';
import type { AppliedRequest } from '#pipeline/accept/result-store.ts';
import { creationRefusals, noMasks } from '../changes/apply-create.ts';
import { deletionRefusal } from '../changes/apply-delete.ts';
import { hasWaitingChanges, loadAttributeRows, type AttributeRow } from '#features/registry/attribute-store.ts';
import { coerce } from '#features/registry/coerce.ts';
import { defaultForm } from '#features/registry/defaults.ts';
import { loadFormerMasks } from '#features/registry/former-masks.ts';
import { findRow, registryOf, unknownReference } from '../changes/registry-change.ts';
import { maskedDeletionRefusal } from '../changes/unmasking.ts';
import { loadUsageScope } from '../usage/usage.ts';

/** The fault codes of the response, by the failure codes of the pipeline. */
const faultCodes: Partial<Record<FailureCode, FaultCode>> = {
  attribute_exists: 'taken',
  attribute_not_found: 'not_found',
  attribute_system: 'not_allowed',
  attribute_in_use: 'in_use',
  attribute_repeated: 'duplicate',
  attribute_count: 'too_many_items',
  attribute_mapping: 'not_supported',
  attribute_data_type: 'not_supported',
  attribute_default: 'invalid_type',
  attribute_defaults: 'too_long',
  attribute_masked: 'missing_scope',
};

/**
 * Checks a create request without the database: repeated names, and defaults that do not have the
 * data type. Adds all faults. Skips parts that the reader could not read.
 */
export function checkDefinitions({ data = [] }: PartlyRead<CreateAttributesBody>, faults: Faults): void {
  const names = new Set<string>();
  for (const [index, definition] of data.entries()) {
    const { name, data_type: dataType, default_value: value } = definition ?? {};
    if (name !== undefined && names.has(name)) {
      faults.add('duplicate', 'must differ from the other names of the request', `data[${index}].name`);
    }
    if (name !== undefined) names.add(name);
    if (dataType === undefined || value === undefined || value === null) continue;
    if (coerce(dataType, value) === undefined) {
      faults.add('invalid_type', defaultForm(dataType, value), `data[${index}].default_value`);
    }
  }
}

/**
 * Checks a create request against the attributes of the account, except for names that exist: the
 * pipeline reports those. Throws `invalid_request` with all faults.
 *
 * Checks nothing while changes of attributes wait in the queue, because they could make the request
 * valid. The pipeline checks everything again.
 */
export async function checkCreation(
  context: Context,
  { accountId, scopes }: Credential,
  { data }: CreateAttributesBody,
): Promise<void> {
  const account = await requireAccount(context.db, accountId);
  // Read the queue first. Then a change that is applied in between is among the loaded attributes.
  if (await hasWaitingChanges(context.db, accountId)) return;
  const rows = await loadAttributeRows(context.db, accountId);
  const formerMasks = scopes.has('unmasked') ? noMasks : await loadFormerMasks(context.db, accountId);
  const faults = new Faults();
  const targets = new Set<string>();
  for (const [index, refusal] of creationRefusals({ account, rows, formerMasks }, data).entries()) {
    const { mapping } = data[index]!;
    const isRepeated = mapping !== undefined && mapping !== null && targets.has(mapping);
    if (mapping !== undefined && mapping !== null) targets.add(mapping);
    if (isRepeated)
      faults.add(
        'duplicate',
        'must differ from the other mappings of the request, because only one attribute can be mapped to a system attribute',
        `data[${index}].mapping`,
      );
    else if (refusal !== undefined && refusal.code !== 'attribute_exists') {
      faults.add(faultCodes[refusal.code]!, refusal.message, `data[${index}].${refusal.field}`);
    }
  }
  if (faults.count > 0) throw faultsError(faults);
}

/**
 * Checks the references of a request that already has faults, so that the caller gets all faults at
 * once. An unknown name is not a fault while attributes wait to be created.
 */
export async function checkOtherReferences(
  context: Context,
  accountId: number,
  { data = [] }: PartlyRead<AttributeUsageBody>,
  faults: Faults,
): Promise<void> {
  if (faults.count === 0) return;
  const mayBePending = await hasWaitingChanges(context.db, accountId);
  await findReferences(context, accountId, data as readonly (AttributeReference | undefined)[], faults, {
    mayBePending,
  });
}

/**
 * Checks that the attributes of a delete request exist and can be deleted now. The pipeline checks
 * it again. An unknown name is not a fault while attributes wait to be created. Throws
 * `invalid_request` with all faults.
 */
export async function checkDeletion(
  context: Context,
  { accountId, scopes }: Credential,
  references: readonly AttributeReference[],
): Promise<void> {
  const faults = new Faults();
  // Read the queue first. Then an attribute that is created in between is among the loaded ones.
  const waiting = await hasWaitingChanges(context.db, accountId);
  const rows = await findReferences(context, accountId, references, faults, { mayBePending: waiting });
  const account = await requireAccount(context.db, accountId);
  const all = await loadAttributeRows(context.db, accountId);
  const scope = await loadUsageScope(context, context.db, account, all);
  const masks = scopes.has('unmasked') ? undefined : registryOf(account, all);
  for (const [index, row] of rows.entries()) {
    if (row === undefined) continue;
    const refusal = deletionRefusal(scope, row) ?? (masks && maskedDeletionRefusal(masks, row));
    if (refusal !== undefined) faults.add(faultCodes[refusal.code]!, refusal.message, `data[${index}]`);
  }
  if (faults.count > 0) throw faultsError(faults);
}

/**
 * Returns the attributes of references. Adds a fault for each unknown or repeated attribute.
 * With `mayBePending`, an unknown name is not a fault: its attribute may wait to be created.
 */
export async function findReferences(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  references: readonly (AttributeReference | undefined)[],
  faults: Faults,
  { mayBePending = false }: { readonly mayBePending?: boolean } = {},
): Promise<(AttributeRow | undefined)[]> {
  const rows = await loadAttributeRows(db, accountId);
  const seen = new Map<AttributeRow, number>();
  return references.map((reference, index) => {
    if (reference === undefined) return undefined;
    const row = findRow(rows, reference);
    if (row === undefined) {
      // An unknown id is always a fault: no caller can know an id before the attribute is created.
      if (mayBePending && 'name' in reference) return undefined;
      return faults.add('not_found', unknownReference(rows, reference), `data[${index}]`);
    }
    const first = seen.get(row);
    if (first !== undefined) {
      return faults.add(
        'duplicate',
        `is the same attribute as data[${first}]. Leave one of them out`,
        `data[${index}]`,
      );
    }
    seen.set(row, index);
    return row;
  });
}

/** Converts the failures of a whole operation to faults of its body. */
export function faultsOf({ failures }: AppliedRequest): Faults {
  const faults = new Faults();
  for (const { index, code, field, message } of failures) {
    const faultCode = faultCodes[code];
    if (faultCode !== undefined) faults.add(faultCode, message, `data[${index}]${field === null ? '' : `.${field}`}`);
  }
  return faults;
}
