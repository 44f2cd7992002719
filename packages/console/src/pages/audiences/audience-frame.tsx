import { Badge, Tabs } from '@mantine/core';
import type { List, Segment } from '@roster/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { useIsHere } from '#components/actions/use-is-here.ts';
import { PageHeader } from '#components/layout/page-header.tsx';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { AudienceMenu } from './audience-menu.tsx';
import type { AudienceSearch } from './audiences-search.ts';

/** A tab of the page of a list or segment. */
export interface AudienceTab {
  readonly id: 'contacts' | 'filter' | 'live' | 'growth' | 'uses' | 'changes';
  readonly panel: () => ReactNode;
}

/** The head of the page of a list or segment that is not loaded. */
export function AudienceHead({ type, id }: { readonly type: 'list' | 'segment'; readonly id: number }): ReactNode {
  const t = useTexts('audiences');
  return <PageHeader title={t(`number.${type}`, { id })} above={useAbove(type)} />;
}

/** Returns the page above the page of a list or segment. */
function useAbove(type: 'list' | 'segment') {
  const t = useTexts('audiences');
  const { accountId } = useAccount();
  const to = `/accounts/${accountId}/audiences${type === 'segment' ? '?tab=segments' : ''}`;
  return [{ label: t(type === 'list' ? 'lists' : 'segments'), to }] as const;
}

/** The head and the tabs of the page of a list or segment. The open tab is in the address. */
export function AudienceFrame({
  audience,
  badge,
  actions,
  tabs,
}: {
  readonly audience: List | Segment;
  readonly badge: ReactNode;
  readonly actions: ReactNode;
  readonly tabs: readonly AudienceTab[];
}): ReactNode {
  const t = useTexts('audiences');
  const { accountId } = useAccount();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const search = useSearch({ strict: false }) as AudienceSearch;
  const { audience_id: id, audience_type: type, name, use_count: uses } = audience;
  const current = tabs.find((tab) => tab.id === search.tab) ?? tabs[0]!;
  const above = useAbove(type);
  return (
    <>
      <PageHeader title={name} above={above} badge={badge}>
        <ApiCallButton
          call={{
            operation: type === 'list' ? 'getList' : 'getSegment',
            path: { account_id: accountId, audience_id: id },
          }}
        />
        {actions}
        <AudienceMenu
          audience={audience}
          onDeleted={() => {
            if (isHere()) void navigate({ to: above[0].to });
          }}
        />
      </PageHeader>
      <Tabs
        value={current.id}
        onChange={(tab) =>
          void navigate({
            to: '.',
            search: (old: AudienceSearch) => ({
              ...old,
              tab: tab === tabs[0]!.id || tab === null ? undefined : tab,
            }),
            replace: true,
          })
        }
      >
        <Tabs.List>
          {tabs.map((tab) => (
            <Tabs.Tab
              key={tab.id}
              value={tab.id}
              rightSection={
                tab.id === 'uses' && uses > 0 ? (
                  <Badge size="xs" variant="light" circle>
                    {uses}
                  </Badge>
                ) : null
              }
            >
              {t(`tabs.${tab.id}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {current.panel()}
    </>
  );
}
