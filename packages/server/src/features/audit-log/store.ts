import type { ListAuditLogQuery } from '@roster/contract';
import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `audit_log`. */
export type AuditLogRow = Selectable<Tables['audit_log']>;

/** Which entries to list. `action` and `subject` can be the beginning, up to `.` or `:`. */
export type AuditLogFilter = Pick<ListAuditLogQuery, 'actor' | 'action' | 'subject' | 'from' | 'to'>;

/** Returns entries of the audit log of an account, newest first, that are older than `before`. */
export async function listAuditLog(
  db: Database,
  accountId: number,
  { actor, action, subject, from, to }: AuditLogFilter,
  before: number | undefined,
  limit: number,
): Promise<AuditLogRow[]> {
  return db
    .selectFrom('audit_log')
    .where('account_id', '=', accountId)
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor!))
    .$if(action !== undefined, (query) => query.where(namedBy('action', action!, '.')))
    .$if(subject !== undefined, (query) => query.where(namedBy('subject', subject!, ':')))
    .$if(from !== undefined, (query) => query.where('occurred_at', '>=', new Date(from!)))
    .$if(to !== undefined, (query) => query.where('occurred_at', '<', new Date(to!)))
    .$if(before !== undefined, (query) => query.where('audit_id', '<', before!))
    .selectAll()
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .execute();
}

function namedBy(column: 'action' | 'subject', text: string, end: string) {
  return text.endsWith(end)
    ? sql<boolean>`starts_with(${sql.ref(column)}, ${text})`
    : sql<boolean>`${sql.ref(column)} = ${text}`;
}
