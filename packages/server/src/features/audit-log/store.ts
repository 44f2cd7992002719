import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `audit_log`. */
export type AuditLogRow = Selectable<Tables['audit_log']>;

/** Returns entries of the audit log of an account, newest first, that are older than `before`. */
export async function listAuditLog(
  db: Database,
  accountId: number,
  before: number | undefined,
  limit: number,
): Promise<AuditLogRow[]> {
  return db
    .selectFrom('audit_log')
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('audit_id', '<', before!))
    .selectAll()
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .execute();
}
