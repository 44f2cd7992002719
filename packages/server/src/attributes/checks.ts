import {
  Faults,
  type AttributeReference,
  type CreateAttributesBody,
  type Fault,
  type FaultCode,
  type FailureCode,
} from '@roster/contract';
import { requireAccount } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { invalidRequest } from '../http/api-error.ts';
import type { AppliedRequest } from '../requests/result-store.ts';
import { creationRefusals } from './apply-create.ts';
import { deletionRefusal } from './apply-delete.ts';
import { hasWaitingChanges, loadAttributeRows, type AttributeRow } from './attribute-store.ts';
import { coerce } from './coerce.ts';
import { findRow } from './registry-change.ts';
import { loadUsageScope } from './usage.ts';

/** The codes of `errors` for what the pipeline calls by the codes of failures. */
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
};

/**
 * Checks what a create request shows by itself: names that are given twice, defaults that are not of their type; and mappings, as far as no
 * change of the registry waits that could allow them (decisions §4). Throws `invalid_request` with every fault.
 */
export async function checkCreation(
  context: Context,
  accountId: number,
  { data }: CreateAttributesBody,
): Promise<void> {
  const faults = new Faults();
  const names = new Set<string>();
  for (const [index, { name, data_type: dataType, default_value: value }] of data.entries()) {
    if (names.has(name)) faults.add('duplicate', 'is the name of two attributes of the request', `data[${index}].name`);
    names.add(name);
    if (value !== undefined && value !== null && coerce(dataType, value) === undefined) {
      faults.add('invalid_type', `is not a value of the type ${dataType}`, `data[${index}].default_value`);
    }
  }
  if (data.some(({ mapping }) => mapping !== undefined && mapping !== null)) {
    await checkMappings(context, accountId, data, faults);
  }
  if (faults.count > 0) throw invalidRequest(faults.list);
}

async function checkMappings(
  context: Context,
  accountId: number,
  data: CreateAttributesBody['data'],
  faults: Faults,
): Promise<void> {
  const account = await requireAccount(context.db, accountId);
  if (await hasWaitingChanges(context.db, accountId)) return;
  const rows = await loadAttributeRows(context.db, accountId);
  const targets = new Set<string>();
  for (const [index, definition] of data.entries()) {
    const { mapping } = definition;
    if (mapping === undefined || mapping === null) continue;
    const place = `data[${index}].mapping`;
    if (targets.has(mapping)) faults.add('duplicate', 'is the target of two attributes of the request', place);
    targets.add(mapping);
    for (const { code, field, message } of creationRefusals({ account, rows }, definition)) {
      if (field === 'mapping') faults.add(faultCodes[code]!, message, place);
    }
  }
}

/**
 * Checks that the attributes of a delete request exist and can be deleted as things stand (decisions §4); when they are deleted it is
 * checked again. A name that is unknown may be that of an attribute that waits to be created. Throws `invalid_request` with every fault.
 */
export async function checkDeletion(
  context: Context,
  accountId: number,
  references: readonly AttributeReference[],
): Promise<void> {
  const faults = new Faults();
  // In this order: what is created in between is found.
  const waiting = await hasWaitingChanges(context.db, accountId);
  const rows = await findReferences(context, accountId, references, faults, { mayCome: waiting });
  const scope = await loadUsageScope(
    context.db,
    await requireAccount(context.db, accountId),
    await loadAttributeRows(context.db, accountId),
  );
  for (const [index, row] of rows.entries()) {
    const refusal = row === undefined ? undefined : deletionRefusal(scope, row);
    if (refusal !== undefined) faults.add(faultCodes[refusal.code]!, refusal.message, `data[${index}]`);
  }
  if (faults.count > 0) throw invalidRequest(faults.list);
}

/** The attributes that references mean; adds a fault for each that means none, and for each that is named twice. */
export async function findReferences(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  references: readonly AttributeReference[],
  faults: Faults,
  { mayCome = false }: { readonly mayCome?: boolean } = {},
): Promise<(AttributeRow | undefined)[]> {
  const rows = await loadAttributeRows(db, accountId);
  const seen = new Set<AttributeRow>();
  return references.map((reference, index) => {
    const row = findRow(rows, reference);
    if (row === undefined) {
      // A number is given when an attribute is created: nobody can know it before.
      if (mayCome && 'name' in reference) return undefined;
      return faults.add('not_found', 'is not an attribute of the account', `data[${index}]`);
    }
    if (seen.has(row)) return faults.add('duplicate', 'names an attribute a second time', `data[${index}]`);
    seen.add(row);
    return row;
  });
}

/** What the pipeline refused of a request that is applied as a whole, as faults of its body. */
export function faultsOf({ failures }: AppliedRequest): Fault[] {
  return failures
    .filter(({ code }) => code in faultCodes)
    .map(({ index, code, field, message }) => ({
      code: faultCodes[code]!,
      field: field === null ? `data[${index}]` : `data[${index}].${field}`,
      message,
    }));
}
