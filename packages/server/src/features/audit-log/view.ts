import type { AuditLogEntry } from '@roster/contract';
import type { AuditLogRow } from './store.ts';

/** Returns an entry of the audit log as the operator API shows it. */
export function auditLogView(row: AuditLogRow): AuditLogEntry {
  return {
    audit_id: row.audit_id,
    occurred_at: row.occurred_at.toISOString(),
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    details: row.details,
  };
}
