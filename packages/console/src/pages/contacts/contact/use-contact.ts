import { RosterError, type ContactProfile, type UpdateContactBody } from '@roster/client';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

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
  /** Returns the value of the field, as people see it. */
  readonly valueOf: (profile: ContactProfile) => string;
}

/** A change that somebody else made impossible: the field has another value now. */
export interface Conflict {
  readonly change: FieldChange;
  readonly theirs: string;
}

/** How often a change is repeated when somebody else changes other fields all the time. */
const mergesPerChange = 3;

/**
 * Changes a contact with its version. If somebody else changed another field since, the change is
 * made on top of it. If somebody else changed the same field, it becomes a {@link Conflict}.
 */
export function useContactChange(contactId: number, profile: ContactProfile) {
  const { accountId, account } = useAccount();
  const t = useTexts('contact');
  const client = useQueryClient();
  const key = ['accounts', accountId, 'contacts', contactId];
  const [conflict, setConflict] = useState<Conflict | undefined>(undefined);

  async function apply(change: FieldChange, base: ContactProfile, merges: number): Promise<ContactProfile | undefined> {
    try {
      const { contact } = await account.contacts.update(contactId, change.body, { ifMatch: base.version });
      if (merges > 0) notifications.show({ withCloseButton: false, message: t('merge.merged') });
      return contact;
    } catch (error) {
      if (!(error instanceof RosterError) || error.code !== 'changed') throw error;
      const current = error.current as ContactProfile;
      client.setQueryData(key, current);
      const theirs = change.valueOf(current);
      if (theirs === change.valueOf(base) && merges < mergesPerChange) return apply(change, current, merges + 1);
      if (theirs !== change.yours) setConflict({ change, theirs });
      return undefined;
    }
  }

  const mutation = useMutation({
    mutationFn: (change: FieldChange) => apply(change, profile, 0),
    async onSuccess(contact) {
      if (contact !== undefined) client.setQueryData(key, contact);
      await client.invalidateQueries({ queryKey: [...key, 'timeline'] });
    },
  });
  return { change: mutation, conflict, closeConflict: () => setConflict(undefined) };
}

/** What {@link useContactChange} returns. */
export type ContactChange = ReturnType<typeof useContactChange>;
