import { Button, Grid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { curlOf } from '#api/call-text.ts';
import { ApiCallButton } from '#components/actions/api-call-button.tsx';
import { PeriodControl, useFirstDay } from '#components/charts/period-control.tsx';
import { defaultPeriod } from '#components/charts/period.ts';
import { PageHeader } from '#components/layout/page-header.tsx';
import { Page } from '#components/layout/page.tsx';
import { EmptyState } from '#components/states/empty-state.tsx';
import { ErrorState } from '#components/states/error-state.tsx';
import { useAccountDetail } from '#shell/account/use-account-detail.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';
import { ActivityCard } from './activity-card.tsx';
import { FailuresCard } from './failures-card.tsx';
import { GrowthCard } from './growth-card.tsx';
import { PipelineCard } from './pipeline-card.tsx';
import { ReachTiles } from './reach-tiles.tsx';

/** The page /: contacts and their growth, activity, what runs and what failed. */
export function HomePage(): ReactNode {
  const t = useTexts('home');
  const { accountId, account, can } = useAccount();
  const { days = defaultPeriod } = useSearch({ from: '/signed-in/accounts/$accountId/' });
  const navigate = useNavigate({ from: '/accounts/$accountId/' });
  const from = useFirstDay(days);
  const detail = useAccountDetail();
  const showsContacts = can('contacts:read');
  const growth = useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'contacts', from],
    queryFn: ({ signal }) => account.statistics.contacts({ signal, from }),
    enabled: showsContacts && from !== undefined,
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
  const isEmpty =
    growth.data?.contacts === 0 && growth.data.days.every(({ created, contacts }) => created + contacts === 0);
  return (
    <Page>
      <PageHeader title={t('title')}>
        <PeriodControl
          value={days}
          onChange={(chosen) =>
            void navigate({ search: (old) => ({ ...old, days: chosen === defaultPeriod ? undefined : chosen }) })
          }
        />
        <ApiCallButton call={{ operation: 'getContactGrowth', path: { account_id: accountId }, query: { from } }} />
      </PageHeader>
      {detail.data === undefined && detail.error !== null ? (
        // The first day depends on the time zone of the account.
        <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
      ) : (
        <>
          {isEmpty ? <Welcome /> : showsContacts && <ReachTiles query={growth} days={days} />}
          <Grid gap="md">
            {!isEmpty && showsContacts && (
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <GrowthCard query={growth} />
              </Grid.Col>
            )}
            <Grid.Col span={{ base: 12, lg: isEmpty || !showsContacts ? 6 : 4 }}>
              <PipelineCard />
            </Grid.Col>
            {!isEmpty && can('activity:read') && (
              <Grid.Col span={{ base: 12, lg: 8 }}>
                <ActivityCard from={from} days={days} />
              </Grid.Col>
            )}
            <Grid.Col span={{ base: 12, lg: isEmpty || !can('activity:read') ? 6 : 4 }}>
              <FailuresCard />
            </Grid.Col>
          </Grid>
        </>
      )}
    </Page>
  );
}

function Welcome(): ReactNode {
  const t = useTexts('home');
  const { accountId, can } = useAccount();
  return (
    <Stack>
      <EmptyState
        icon={Users}
        guide="/docs/guides/marketer"
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          can('imports:write') && (
            <Button component={Link} to={`/accounts/${accountId}/imports/new`}>
              {t('empty.action')}
            </Button>
          )
        }
        curl={curlOf({
          operation: 'createContacts',
          body: { data: { contact_type: 'identified', contacts: [{ identity: 'asha@example.com' }] } },
        })}
      />
    </Stack>
  );
}
