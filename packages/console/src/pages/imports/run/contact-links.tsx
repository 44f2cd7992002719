import { Group } from '@mantine/core';
import type { Import } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '#components/actions/links.tsx';
import { formatDateTime } from '#components/values/format.ts';
import { useTimeZone } from '#components/values/time-zone.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

/** More lists are not linked. */
const shownLists = 10;

/**
 * Links to the contacts after an import: the lists that it added them to, and the contacts that
 * changed since it started. Other requests can change contacts too, so no link claims to show only
 * the contacts of the import.
 */
export function ContactLinks({ found }: { readonly found: Import }): ReactNode {
  const t = useTexts('imports');
  const timeZone = useTimeZone();
  const { accountId, account, can } = useAccount();
  const { audience_ids: listIds, counts, started_at: startedAt } = found;
  const wroteContacts = !found.dry_run && counts.created + counts.updated > 0;
  const lists = useQuery({
    queryKey: ['accounts', accountId, 'lists', 'all'],
    queryFn: ({ signal }) => account.lists.list({ limit: 500, order: 'name', signal }).all(),
    enabled: wroteContacts && listIds.length > 0 && can('lists:read'),
    staleTime: 60_000,
  });
  if (!wroteContacts || startedAt === null || !can('contacts:read')) return null;
  const linked = (lists.data ?? []).filter(({ audience_id: id }) => listIds.includes(id)).slice(0, shownLists);
  return (
    <Group gap="md">
      {linked.map(({ audience_id: audienceId, name }) => (
        <TextLink
          key={audienceId}
          size="sm"
          to="/accounts/$accountId/audiences/lists/$audienceId"
          params={{ accountId, audienceId: String(audienceId) }}
        >
          {t('result.list', { name })}
        </TextLink>
      ))}
      <TextLink
        size="sm"
        to="/accounts/$accountId/contacts"
        params={{ accountId }}
        search={{ filter: ['and', ['and', ['updated_at', 'greater_than_or_equal', startedAt]]] }}
      >
        {t('result.changedSince', { moment: formatDateTime(startedAt, timeZone) })}
      </TextLink>
    </Group>
  );
}
