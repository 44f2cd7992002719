import type { ContactProfile, UpdateContactBody } from '@roster/client';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMerge } from '#components/merge/use-merge.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useUndoMessage } from './use-undo-message.tsx';

/** Returns the query of the profile of a contact. */
export function useProfileQuery(contactId: number) {
  const { accountId, account } = useAccount();
  return queryOptions({
    queryKey: ['accounts', accountId, 'contacts', contactId],
    queryFn: ({ signal }) => account.contacts.get(contactId, { signal }),
  });
}

/** A change of one field of a contact. */
export interface FieldChange {
  /** Name of the field, as people see it. */
  readonly field: string;
  readonly body: UpdateContactBody;
  /** The new value, as people see it. */
  readonly yours: string;
  /**
   * The change that restores the value before, and that value as people see it. Without it, the change
   * cannot be undone.
   */
  readonly undo?: { readonly body: UpdateContactBody; readonly value: string } | undefined;
  /** Returns the value of the field, as people see it. */
  readonly valueOf: (profile: ContactProfile) => string;
}

/**
 * Changes a contact with its version. If somebody else changed another field since, the change is
 * made on top of it. If somebody else changed the same field, the person chooses.
 */
export function useContactChange(contactId: number, profile: ContactProfile) {
  const { accountId, account } = useAccount();
  const client = useQueryClient();
  const key = ['accounts', accountId, 'contacts', contactId];
  const { save, conflict } = useMerge();
  const offerUndo = useUndoMessage();
  const change = useMutation({
    mutationFn: ({ field, body, yours, valueOf }: FieldChange) =>
      save({
        stored: profile,
        draft: { value: yours },
        draftOf: (one) => ({ value: valueOf(one) }),
        fields: [{ id: 'value', label: field, keys: ['value'], show: ({ value }) => value }],
        save: async (_draft, { version }) =>
          (await account.contacts.update(contactId, body, { ifMatch: version })).contact,
        onChanged: (current) => client.setQueryData(key, current),
      }),
    async onSuccess(contact, { field, body, yours, undo, valueOf }) {
      if (contact !== undefined) {
        client.setQueryData(key, contact);
        if (undo !== undefined) {
          const restore = { field, body: undo.body, yours: undo.value, undo: { body, value: yours }, valueOf };
          offerUndo({ field, former: undo.value, onUndo: () => change.mutateAsync(restore) });
        }
      }
      await client.invalidateQueries({ queryKey: [...key, 'timeline'] });
    },
  });
  return { change, conflict };
}

/** What {@link useContactChange} returns. */
export type ContactChange = ReturnType<typeof useContactChange>;
