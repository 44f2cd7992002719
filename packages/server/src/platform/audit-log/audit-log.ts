import type { AuditAction } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * The author of a change: the operator token, the service itself, an API key, or a person. The
 * numbers never change their meaning, even when the key is revoked or the person is removed.
 */
export type Author = 'operator' | 'system' | `api-key:${number}` | `user:${number}`;

/** An entry of the audit log. */
export interface AuditEntry {
  readonly accountId: number;
  readonly actor: Author;
  /** Noun and verb, such as `list.delete`. */
  readonly action: AuditAction;
  /** The changed object, such as `list:3`. */
  readonly subject: string;
  /** More about the change; never secrets or personal data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes an entry of the audit log. Call it in the transaction that makes the change. */
export async function writeAudit(trx: Database, context: Pick<Context, 'now'>, entry: AuditEntry): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      account_id: entry.accountId,
      occurred_at: context.now(),
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute();
}

/** Returns the changed fields as `{field: {from, to}}`, for `details` of an update. */
export function changedFields<T extends object>(
  before: T,
  after: T,
): Partial<Record<keyof T & string, { from: unknown; to: unknown }>> {
  const changes: Partial<Record<keyof T & string, { from: unknown; to: unknown }>> = {};
  for (const field of Object.keys(after) as (keyof T & string)[]) {
    const from = before[field];
    const to = after[field];
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from: from ?? null, to };
  }
  return changes;
}
