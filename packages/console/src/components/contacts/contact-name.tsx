import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '#components/actions/links.tsx';
import { cutText } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { Access } from './access.ts';
import { findContactName } from './find-contact-names.ts';

/** Longer names are cut off. The page of the contact shows them completely. */
const longestName = 200;

/**
 * The name of a contact in a table, as a link to the contact. A contact that is gone, or that the
 * person may not see, has a number. The page must load the texts `filter`.
 */
export function ContactName({ access, contactId }: { readonly access: Access; readonly contactId: number }): ReactNode {
  const t = useTexts('filter');
  const { accountId, can } = access;
  const { data: found, isLoading } = useQuery({
    queryKey: ['accounts', accountId, 'contacts', 'name', contactId],
    queryFn: () => findContactName(access, contactId),
    enabled: can('contacts:read'),
    staleTime: 60_000,
  });
  if (isLoading) return '…';
  const number = t('contactName.number', { id: contactId });
  if (found?.kind === 'gone' || !can('contacts:read')) return number;
  const name = found?.kind === 'named' ? cutText(found.name, longestName) : undefined;
  return (
    <TextLink
      to="/accounts/$accountId/contacts/$contactId"
      params={{ accountId, contactId: String(contactId) }}
      inherit
      truncate
      title={name === undefined ? undefined : `${name} · ${number}`}
    >
      {name ?? (found?.kind === 'anonymous' ? t('contactName.anonymous', { id: contactId }) : number)}
    </TextLink>
  );
}
