import { Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAccount } from '#shell/account/use-account.ts';
import { useAuthorName, useMemberNames } from '#shell/account/use-author-name.ts';
import { useTexts } from '#texts/use-texts.ts';

/**
 * The author in a form of the audit log. People are chosen by their names. Who may not see the
 * members types the author as the audit log has it, such as `user:7`.
 */
export function AuthorField({ name, value }: { readonly name: string; readonly value: string | undefined }): ReactNode {
  const t = useTexts('settings');
  const { can } = useAccount();
  const authorOf = useAuthorName();
  const members = useMemberNames();
  const shared = { name, label: t('auditLog.actor'), w: 180 };
  if (!can('members:read')) {
    return <TextInput {...shared} placeholder={t('auditLog.actorExample')} defaultValue={value} />;
  }
  const people = [...(members.data ?? [])].sort(([, a], [, b]) => a.localeCompare(b)).map(([author]) => author);
  const authors = new Set([...people, 'operator', 'system', ...(value === undefined ? [] : [value])]);
  return (
    <Select
      {...shared}
      placeholder={t('auditLog.anyActor')}
      searchable
      // Until the members are loaded, there are no names to choose from.
      disabled={members.isPending}
      clearable
      data={[...authors].map((author) => ({ value: author, label: authorOf(author) }))}
      defaultValue={value ?? null}
    />
  );
}
