import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';

const word = (description: string, example: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, 'x-blank-is-absent': true, description, examples: [example] }),
  );
const moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', 'x-blank-is-absent': true, description }));

/** Query of listing the audit log. */
export const ListAuditLogQuery = Type.Object(
  {
    ...pageQueryProperties,
    actor: word('Only changes of this author, such as `operator` or `user:7`.', 'operator'),
    action: word(
      'Only this action. A noun with a dot at the end, such as `list.`, means all its actions.',
      'list.delete',
    ),
    subject: word(
      'Only changes of this object. A noun with a colon at the end, such as `list:`, means all of them.',
      'list:3',
    ),
    from: moment('Only changes at this time or later.'),
    to: moment('Only changes before this time.'),
  },
  { additionalProperties: false },
);

/** An entry of the audit log as the operator API shows it. */
export const AuditLogEntry = Type.Object(
  {
    audit_id: Type.Integer({ examples: [17] }),
    occurred_at: Type.String({ format: 'date-time' }),
    actor: Type.String({
      description: 'The author of the change: `operator`, `system`, or `api-key:` and the number of the key.',
      examples: ['operator'],
    }),
    action: Type.String({ description: 'The action, as a noun and a verb.', examples: ['list.delete'] }),
    subject: Type.String({ description: 'The changed object.', examples: ['list:3'] }),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Details of the change. An update has `changes: {field: {from, to}}`. Never contains secrets or personal data.',
      examples: [{ name: 'Newsletter' }],
    }),
  },
  { $id: 'AuditLogEntry', description: 'One change by an operator or a caller: who changed what, and when.' },
);

export type ListAuditLogQuery = Static<typeof ListAuditLogQuery>;
export type AuditLogEntry = Static<typeof AuditLogEntry>;
