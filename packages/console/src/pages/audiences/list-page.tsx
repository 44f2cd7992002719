import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContactSources } from '#components/contacts/contact-sources.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AudienceChanges } from './tabs/audience-changes.tsx';
import { AudienceContacts } from './tabs/audience-contacts.tsx';
import { AudienceExport } from './tabs/audience-export.tsx';
import { AudienceFrame, AudienceHead } from './audience-frame.tsx';
import { AudienceUses } from './tabs/audience-uses.tsx';
import { ListGrowth } from './tabs/list-growth.tsx';

/** The page /audiences/lists/$audienceId. */
export function ListPage(): ReactNode {
  const t = useTexts('audiences');
  const access = useAccount();
  const { accountId, account, can } = access;
  const audienceId = Number(useParams({ strict: false }).audienceId);
  const list = useQuery({
    queryKey: ['accounts', accountId, 'lists', 'one', audienceId],
    queryFn: ({ signal }) => account.lists.get(audienceId, { signal }),
  });
  return (
    <Page fill>
      <ContactSources access={access}>
        <QueryState query={list} head={<AudienceHead type="list" id={audienceId} />}>
          {(found) => (
            <AudienceFrame
              audience={found}
              badge={
                <Badge variant="light" tt="none" radius="sm">
                  {t('members', { count: found.member_count, formatted: formatNumber(found.member_count) })}
                </Badge>
              }
              actions={<AudienceExport type="list" audienceId={audienceId} />}
              tabs={[
                { id: 'contacts', panel: () => <AudienceContacts type="list" audienceId={audienceId} /> },
                { id: 'growth', panel: () => <ListGrowth audienceId={audienceId} /> },
                { id: 'uses', panel: () => <AudienceUses audience={found} /> },
                ...(can('audit-log:read')
                  ? [{ id: 'changes' as const, panel: () => <AudienceChanges subject={`list:${audienceId}`} /> }]
                  : []),
              ]}
            />
          )}
        </QueryState>
      </ContactSources>
    </Page>
  );
}
