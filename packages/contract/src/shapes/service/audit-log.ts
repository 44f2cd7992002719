import { Type, type Static } from 'typebox';

/** An entry of the audit log as the operator API shows it. */
export const AuditLogEntry = Type.Object(
  {
    audit_id: Type.Integer({ examples: [17] }),
    occurred_at: Type.String({ format: 'date-time' }),
    actor: Type.String({
      description: 'Who did it: `operator`, `system`, or `api-key:` and the number of the key.',
      examples: ['operator'],
    }),
    action: Type.String({ description: 'Thing and verb.', examples: ['list.delete'] }),
    subject: Type.String({ description: 'Which one.', examples: ['list:3'] }),
    details: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'More about it; updates have `changes: {field: {from, to}}`. Never secrets or personal data.',
      examples: [{ name: 'Newsletter' }],
    }),
  },
  { $id: 'AuditLogEntry', description: 'One change by an operator or a caller: who changed what, and when.' },
);

export type AuditLogEntry = Static<typeof AuditLogEntry>;
