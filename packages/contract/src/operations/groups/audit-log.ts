import { PageQuery, pageAnswer } from '../../shapes/common/paging.ts';
import { operation } from '../definition/operation.ts';

/** The audit log of an account. */
export const auditLogOperations = {
  listAuditLog: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/audit-log',
    repeat: 'harmless',
    tag: 'Audit log',
    summary: 'List the audit log',
    description:
      'Who changed what in the account, newest first: the account itself, API keys, audiences, attributes. An entry is written in the transaction of the change.',
    query: PageQuery,
    answer: pageAnswer('AuditLogEntry'),
  }),
};
