import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** What happened, for the audit log. */
export interface AuditEntry {
  readonly accountId: number;
  /** Who did it: `operator`, `system`, or the API key. */
  readonly actor: 'operator' | 'system' | `api-key:${number}`;
  /** Thing and verb, such as `list.delete`. */
  readonly action: string;
  /** Which one, such as `list:3`. */
  readonly subject: string;
  /** More about it; never secrets or personal data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes an entry of the audit log. Call it in the transaction of the change, so that neither is there without the other. */
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

/** The fields of a change as `{field: {from, to}}`, for `details` of an update; fields that stay the same are left out. */
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
