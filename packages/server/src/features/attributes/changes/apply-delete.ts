import { addEvent } from '#features/events/event-store.ts';
import type { Refusal } from '#features/registry/refusal.ts';
import type { PipelineContext, WholeResult } from '#pipeline/operations/operation.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';
import { deleteAttributes, type AttributeRow } from '#features/registry/attribute-store.ts';
import { rememberMasks } from '#features/registry/former-masks.ts';
import { findRow, openRegistry, refused, registryOf, unknownAttribute } from './registry-change.ts';
import { maskedDeletionRefusal } from './unmasking.ts';
import { describeUses, loadUsageScope, usesOf, type UsageScope } from '../usage/usage.ts';

/**
 * Deletes the attributes of an accepted request. Skips those that are refused, such as attributes
 * in use. Their values are removed from the contacts in the background.
 */
export async function applyDeleteAttributes(
  trx: Database,
  accountId: number,
  { attributes, actor, unmasked }: Payloads['attribute.delete'],
  context: PipelineContext,
): Promise<WholeResult[]> {
  const { account, rows } = await openRegistry(trx, accountId);
  const scope = await loadUsageScope(context, trx, account, rows);
  const masks = registryOf(account, rows);
  const deleted = new Set<AttributeRow>();
  const results = attributes.map((reference): WholeResult => {
    const row = findRow(rows, reference);
    if (row === undefined || deleted.has(row)) return refused([unknownAttribute(rows, reference)]);
    const refusal = deletionRefusal(scope, row) ?? (unmasked ? undefined : maskedDeletionRefusal(masks, row));
    if (refusal !== undefined) return refused([refusal]);
    deleted.add(row);
    return { outcome: 'deleted', failures: [] };
  });
  if (deleted.size === 0) return results;
  await deleteAttributes(
    trx,
    accountId,
    Array.from(deleted, (row) => row.attribute_id),
    context.now(),
  );
  await rememberMasks(trx, accountId, new Map(Array.from(deleted, (row) => [row.name, row.data_masking])));
  for (const { attribute_id, name } of deleted) {
    const subject = `attribute:${attribute_id}`;
    await writeAudit(trx, context, { accountId, actor, action: 'attribute.delete', subject, details: { name } });
    const event = { kind: 'attribute.deleted', contactId: null, requestId: null, details: { name } } as const;
    await addEvent(trx, accountId, event, context.now());
  }
  return results;
}

/** Returns why an attribute cannot be deleted, or undefined if it can. */
export function deletionRefusal(scope: UsageScope, row: AttributeRow): Refusal | undefined {
  if (row.system) {
    return {
      code: 'attribute_system',
      field: '',
      message: `${row.name} is a system attribute and cannot be deleted.`,
    };
  }
  const uses = usesOf(scope, row);
  if (uses.length === 0) return undefined;
  const message = `${row.name} is in use by ${describeUses(uses)}. Change or delete what uses it first.`;
  return { code: 'attribute_in_use', field: '', message };
}
