import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartCard } from '#components/charts/chart-card.tsx';
import { daysBetween, type ChartSeries } from '#components/charts/chart-data.ts';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatDate } from '#components/values/format.ts';
import { useAccount } from '#shell/account/use-account.ts';
import { useTexts } from '#texts/use-texts.ts';

const shownKinds = [
  ['sent', 'gray.5'],
  ['delivered', 'indigo.5'],
  ['open', 'teal.6'],
  ['click', 'orange.6'],
] as const;

/** The activities by day, all channels together. */
export function ActivityCard({ from, days }: { readonly from: string | undefined; readonly days: number }): ReactNode {
  const t = useTexts('home');
  const common = useTexts('common');
  const { accountId, account } = useAccount();
  const query = useQuery({
    queryKey: ['accounts', accountId, 'statistics', 'activities', from],
    queryFn: ({ signal }) => account.statistics.activities({ signal, from }),
    enabled: from !== undefined,
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
  const link = (
    <Anchor component={Link} to={`/accounts/${accountId}/activity${days === 30 ? '' : `?days=${days}`}`} size="sm">
      {t('activity.all')}
    </Anchor>
  );
  const loading = (
    <Card title={t('activity.title')}>
      <Skeleton height={260} />
    </Card>
  );
  return (
    <QueryState query={query} loading={loading}>
      {({ days: counted, totals, from: first, to, rebuilding }) => {
        if (totals.length === 0) {
          return (
            <Card title={t('activity.title')} controls={link}>
              <Text size="sm" c="dimmed">
                {t('activity.none')}
              </Text>
            </Card>
          );
        }
        const byDay = new Map(daysBetween(first, to).map((day) => [day, { sent: 0, delivered: 0, open: 0, click: 0 }]));
        for (const row of counted) {
          const sums = byDay.get(row.day);
          if (sums !== undefined) for (const [kind] of shownKinds) sums[kind] += row[kind];
        }
        const series: ChartSeries[] = shownKinds.map(([name, color]) => ({
          name,
          color,
          label: common(`activityKinds.${name}`),
        }));
        return (
          <ChartCard
            title={t('activity.title')}
            controls={link}
            above={rebuilding && <Text size="sm">{common('charts.rebuilding')}</Text>}
            kind="line"
            label={t('activity.label', { from: formatDate(first), to: formatDate(to) })}
            days={[...byDay].map(([day, values]) => ({ day, values }))}
            series={series}
          />
        );
      }}
    </QueryState>
  );
}
