import { ListAuditLogQuery } from '../../shapes/service/audit-log.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

/** The audit log of an account. */
export const auditLogOperations = {
  listAuditLog: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/audit-log',
    permission: 'audit-log:read',
    repeat: 'harmless',
    tag: 'Audit log',
    summary: 'List the audit log',
    description:
      'Lists the changes in the account and who made them, newest first. The query can name an author, an action, an object and a time. It covers the account itself, API keys, lists, segments, attributes, exports and erasures. An entry is stored together with its change.',
    query: ListAuditLogQuery,
    answer: pageAnswer('AuditLogEntry'),
  }),
};
