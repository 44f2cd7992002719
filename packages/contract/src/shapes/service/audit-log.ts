import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';

const word = (description: string, example: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, 'x-blank-is-absent': true, description, examples: [example] }),
  );
const moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', 'x-blank-is-absent': true, description }));

/** The actions that the audit log records, as nouns and verbs. */
export const auditActions = [
  'account.create',
  'account.update',
  'account.delete',
  'account.delete-complete',
  'api-key.create',
  'api-key.revoke',
  'attribute.create',
  'attribute.update',
  'attribute.delete',
  'bulk-change.create',
  'bulk-change.complete',
  'bulk-change.cancel',
  'contact.update',
  'contact.export',
  'contact.erase',
  'contact.block',
  'contact.unblock',
  'delivery.replay',
  'derived_attributes.rebuild',
  'event_subscription.create',
  'event_subscription.update',
  'event_subscription.delete',
  'event_subscription.rotate_secret',
  'event_subscription.replay',
  'event_subscription.replay_delivery',
  'export.create',
  'export.cancel',
  'export_schedule.create',
  'export_schedule.update',
  'export_schedule.delete',
  'export_schedule.run',
  'export_schedule.disable',
  'forgotten.undo',
  'import.create',
  'import.complete',
  'import.cancel',
  'invitation.create',
  'invitation.delete',
  'list.create',
  'list.update',
  'list.delete',
  'member.add',
  'member.update',
  'member.remove',
  'member.link',
  'saved_view.create',
  'saved_view.update',
  'saved_view.delete',
  'segment.create',
  'segment.update',
  'segment.delete',
  'signing-secret.rotate',
] as const;

/** An action that the audit log records. */
export type AuditAction = (typeof auditActions)[number];

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
    action: Type.Enum([...auditActions], {
      description: 'The action, as a noun and a verb. New actions can be added.',
      examples: ['list.delete'],
    }),
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
