import { Type, type Static } from 'typebox';

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

export type AuditLogEntry = Static<typeof AuditLogEntry>;
