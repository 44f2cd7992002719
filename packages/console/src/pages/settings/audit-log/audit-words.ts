import type { AuditLogEntry } from '@roster/client';
import { useCallback, useMemo } from 'react';
import { useTexts } from '#texts/use-texts.ts';
import type { AuditWords } from './audit-details.ts';

type Action = AuditLogEntry['action'];

// An action that is missing here is an error of the type check.
const all: Readonly<Record<Action, true>> = {
  'account.create': true,
  'account.update': true,
  'account.delete': true,
  'account.delete-complete': true,
  'api-key.create': true,
  'api-key.revoke': true,
  'attribute.create': true,
  'attribute.update': true,
  'attribute.delete': true,
  'bulk-change.create': true,
  'bulk-change.complete': true,
  'bulk-change.cancel': true,
  'contact.update': true,
  'contact.export': true,
  'contact.erase': true,
  'contact.block': true,
  'contact.unblock': true,
  'delivery.replay': true,
  'derived_attributes.rebuild': true,
  'event_subscription.create': true,
  'event_subscription.update': true,
  'event_subscription.delete': true,
  'event_subscription.rotate_secret': true,
  'event_subscription.replay': true,
  'event_subscription.replay_delivery': true,
  'export.create': true,
  'export.cancel': true,
  'export_schedule.create': true,
  'export_schedule.update': true,
  'export_schedule.delete': true,
  'export_schedule.run': true,
  'export_schedule.disable': true,
  'forgotten.undo': true,
  'import.create': true,
  'import.complete': true,
  'import.cancel': true,
  'invitation.create': true,
  'invitation.delete': true,
  'list.create': true,
  'list.update': true,
  'list.delete': true,
  'member.add': true,
  'member.update': true,
  'member.remove': true,
  'member.link': true,
  'saved_view.create': true,
  'saved_view.update': true,
  'saved_view.delete': true,
  'segment.create': true,
  'segment.update': true,
  'segment.delete': true,
  'signing-secret.rotate': true,
};

/** All actions that the audit log records. */
export const auditActions = Object.keys(all) as readonly Action[];

/** A value that can be one of a few, such as a role. Other texts can have characters that keys do not have. */
const isWord = /^[a-z][a-z_ ]*$/;

/** Returns the words for details. Fields and values without words are those of the API. */
export function useAuditWords(): AuditWords {
  const t = useTexts('auditLog');
  const common = useTexts('common');
  const settings = useTexts('settings');
  return useMemo(
    () => ({
      field(name) {
        const plain = name.replaceAll('_', ' ');
        // Changes of the account have its settings.
        const setting = settings(`account.${name}` as 'account.events', { defaultValue: plain });
        return t(`fields.${name}` as 'fields.name', { defaultValue: setting });
      },
      value: (field, value) =>
        isWord.test(value) ? t(`values.${field}.${value}` as 'values.role.owner', { defaultValue: value }) : value,
      isTrue: common('values.yes'),
      isFalse: common('values.no'),
    }),
    [t, common, settings],
  );
}

/** Returns the function that names an action. An action of a newer service keeps its own name. */
export function useActionName(): (action: string) => string {
  const t = useTexts('auditLog');
  return useCallback((action) => t(`actions.${action}` as 'actions.list.create', { defaultValue: action }), [t]);
}
