import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ContactSources } from '#components/contacts/contact-sources.tsx';
import { Page } from '#components/layout/page.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatNumber } from '#components/values/format.ts';
import { ColourBadge } from '#components/values/status-badge.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AudienceChanges } from './tabs/audience-changes.tsx';
import { AudienceContacts } from './tabs/audience-contacts.tsx';
import { AudienceExport } from './tabs/audience-export.tsx';
import { AudienceFrame, AudienceHead } from './audience-frame.tsx';
import { AudienceUses } from './tabs/audience-uses.tsx';
import { MaskedFilter } from './tabs/masked-filter.tsx';
import { SegmentFilter } from './tabs/segment-filter.tsx';
import { SegmentLive } from './tabs/segment-live.tsx';
import { SegmentGrowth } from './tabs/segment-growth.tsx';

/** The page /audiences/segments/$audienceId. */
export function SegmentPage(): ReactNode {
  const t = useTexts('audiences');
  const access = useAccount();
  const { accountId, account, can } = access;
  const audienceId = Number(useParams({ strict: false }).audienceId);
  const segment = useQuery({
    queryKey: ['accounts', accountId, 'segments', 'one', audienceId],
    queryFn: ({ signal }) => account.segments.get(audienceId, { signal }),
    // A segment that is being filled becomes ready within seconds.
    refetchInterval: ({ state }) => (state.data?.live?.state === 'filling' ? 2000 : state.data?.live ? 10_000 : false),
  });
  return (
    <Page fill>
      <ContactSources access={access}>
        <QueryState query={segment} head={<AudienceHead type="segment" id={audienceId} />}>
          {(found) => (
            <AudienceFrame
              audience={found}
              badge={
                <>
                  <Badge variant="light" tt="none" radius="sm">
                    {found.contact_count === null
                      ? t('count.failed')
                      : t('members', { count: found.contact_count, formatted: formatNumber(found.contact_count) })}
                  </Badge>
                  {found.live !== null && <ColourBadge color="teal">{t('live.badge')}</ColourBadge>}
                </>
              }
              actions={<AudienceExport type="segment" audienceId={audienceId} />}
              tabs={[
                { id: 'contacts', panel: () => <AudienceContacts type="segment" audienceId={audienceId} /> },
                {
                  id: 'filter',
                  panel: () =>
                    found.has_masked_conditions ? (
                      <MaskedFilter segment={found} />
                    ) : (
                      <SegmentFilter key={audienceId} segment={found} />
                    ),
                },
                { id: 'live', panel: () => <SegmentLive segment={found} /> },
                { id: 'growth', panel: () => <SegmentGrowth segment={found} /> },
                { id: 'uses', panel: () => <AudienceUses audience={found} /> },
                ...(can('audit-log:read')
                  ? [{ id: 'changes' as const, panel: () => <AudienceChanges subject={`segment:${audienceId}`} /> }]
                  : []),
              ]}
            />
          )}
        </QueryState>
      </ContactSources>
    </Page>
  );
}
