import { writeAudit, type AuditEntry } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { insertAttributes, type NewAttribute } from './attribute-store.ts';

/**
 * Adds attributes to an account with consecutive ids, and writes to the audit log. Returns the
 * first id, or undefined if `attributes` is empty. The caller holds the lane, or has locked the
 * account.
 */
export async function addAttributes(
  trx: Database,
  context: Pick<Context, 'now'>,
  accountId: number,
  attributes: readonly NewAttribute[],
  actor: AuditEntry['actor'],
): Promise<number | undefined> {
  if (attributes.length === 0) return undefined;
  const first = await insertAttributes(trx, accountId, attributes, context.now());
  for (const [index, { name, dataType }] of attributes.entries()) {
    await writeAudit(trx, context, {
      accountId,
      actor,
      action: 'attribute.create',
      subject: `attribute:${first + index}`,
      details: { name, data_type: dataType },
    });
  }
  return first;
}
