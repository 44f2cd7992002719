import { Alert, Button, Select, Skeleton, Stack } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ActivityStatistics } from '@roster/client';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import type { ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { PeriodControl, useFirstDay } from '#components/charts/period-control.tsx';
import { defaultPeriod } from '#components/charts/period.ts';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { useAccountDetail } from '#shell/account/use-account-detail.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ChannelTable } from './channel-table.tsx';
import { DaysCard } from './days-card.tsx';
import { channels, isChannel } from './kinds.ts';
import { MessagesCard } from './messages-card.tsx';
import { PeopleDrawer } from './people-drawer.tsx';
import { RateTiles } from './rate-tiles.tsx';

/** The page /activity: by day and channel, by message, and the people of a message. */
export function ActivityPage(): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const { accountId, account } = useAccount();
  const { days = defaultPeriod, channel } = useSearch({ from: '/signed-in/accounts/$accountId/activity' });
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  const from = useFirstDay(days);
  const detail = useAccountDetail();
  const query = useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'activities', from, channel],
    queryFn: ({ signal }) => account.statistics.activities({ signal, from, channel }),
    enabled: from !== undefined,
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
  return (
    <Page>
      <PageHeader title={t('title')} text={t('text')}>
        <Select
          size="xs"
          w={150}
          aria-label={t('channel')}
          data={[
            { value: '', label: t('allChannels') },
            ...channels.map((value) => ({ value, label: common(`channels.${value}`) })),
          ]}
          value={channel ?? ''}
          allowDeselect={false}
          onChange={(chosen) =>
            void navigate({ search: (old) => ({ ...old, channel: isChannel(chosen) ? chosen : undefined }) })
          }
        />
        <PeriodControl
          value={days}
          onChange={(chosen) =>
            void navigate({ search: (old) => ({ ...old, days: chosen === defaultPeriod ? undefined : chosen }) })
          }
        />
        <ApiCallButton
          call={{ operation: 'getActivityStatistics', path: { account_id: accountId }, query: { from, channel } }}
        />
      </PageHeader>
      {/* The first day depends on the time zone of the account. */}
      <QueryState query={detail} loading={<Loading />}>
        {() => <Statistics query={query} from={from} />}
      </QueryState>
      <PeopleDrawer />
    </Page>
  );
}

function Statistics({
  query,
  from,
}: {
  readonly query: UseQueryResult<ActivityStatistics>;
  readonly from: string | undefined;
}): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const { accountId } = useAccount();
  const { days = defaultPeriod, channel } = useSearch({ from: '/signed-in/accounts/$accountId/activity' });
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  const isFiltered = days !== 365 || channel !== undefined;
  return (
    <QueryState query={query} loading={<Loading />}>
      {(found) =>
        found.totals.length === 0 ? (
          <EmptyState
            icon={Activity}
            guide="/docs/activity"
            title={t(isFiltered ? 'empty.period' : 'empty.title')}
            text={t(isFiltered ? 'empty.periodText' : 'empty.text')}
            action={
              isFiltered && (
                <Button variant="default" onClick={() => void navigate({ search: { days: 365 } })}>
                  {t('empty.showYear')}
                </Button>
              )
            }
            curl={curlOf({
              operation: 'recordActivities',
              path: { account_id: accountId },
              body: {
                data: [
                  {
                    identity: 'asha@example.com',
                    channel: 'email',
                    activity: 'sent',
                    occurred_at: '2026-01-31T09:00:00Z',
                    message_id: 4711,
                    msg_name: 'Winter offers',
                  },
                ],
              },
            })}
          />
        ) : (
          <Stack gap="md">
            {found.rebuilding && (
              <Alert color="yellow" p="xs">
                {common('charts.rebuilding')}
              </Alert>
            )}
            <RateTiles totals={found.totals} />
            <DaysCard statistics={found} />
            {channel === undefined && found.totals.length > 1 && <ChannelTable totals={found.totals} />}
            <MessagesCard from={from} channel={channel} />
          </Stack>
        )
      }
    </QueryState>
  );
}

function Loading(): ReactNode {
  return (
    <Stack gap="md" aria-busy="true">
      <Skeleton height={98} radius="md" />
      <Skeleton height={340} radius="md" />
      <Skeleton height={240} radius="md" />
    </Stack>
  );
}
