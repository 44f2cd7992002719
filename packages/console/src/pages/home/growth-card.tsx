import type { ContactGrowth } from '@roster/client';
import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartCard } from '#components/charts/chart-card.tsx';
import type { ChartSeries } from '#components/charts/chart-data.ts';
import { Card } from '#components/layout/card.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatDate } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';

const types = ['identified', 'confirmed', 'unconfirmed', 'anonymous', 'blacklisted'] as const;
const typeColors = {
  identified: 'indigo.5',
  confirmed: 'teal.6',
  unconfirmed: 'yellow.6',
  anonymous: 'gray.5',
  blacklisted: 'red.6',
};

/** The contacts by day: their number by type, or what changed. */
export function GrowthCard({ query }: { readonly query: UseQueryResult<ContactGrowth> }): ReactNode {
  const t = useTexts('home');
  const common = useTexts('common');
  const { growth: view = 'levels' } = useSearch({ from: '/signed-in/accounts/$accountId/' });
  const navigate = useNavigate({ from: '/accounts/$accountId/' });
  const controls = (
    <SegmentedControl
      size="xs"
      aria-label={t('growth.view')}
      data={[
        { value: 'levels', label: t('growth.levels') },
        { value: 'changes', label: t('growth.changes') },
      ]}
      value={view}
      onChange={(chosen) =>
        void navigate({ search: (old) => ({ ...old, growth: chosen === 'changes' ? chosen : undefined }) })
      }
    />
  );
  const loading = (
    <Card title={t('growth.title')}>
      <Skeleton height={260} />
    </Card>
  );
  return (
    <QueryState query={query} loading={loading}>
      {({ days, from, to, rebuilding }) => {
        const shared = {
          title: t('growth.title'),
          controls,
          above: rebuilding && <Text size="sm">{common('charts.rebuilding')}</Text>,
        };
        const period = { from: formatDate(from), to: formatDate(to) };
        if (view === 'levels') {
          // Types without contacts would only make the legend longer.
          const used = types.filter((type) => days.some((day) => day.types[type] > 0));
          return (
            <ChartCard
              {...shared}
              kind="area"
              isStacked
              label={t('growth.levelsLabel', period)}
              days={days.map(({ day, types: values }) => ({ day, values }))}
              series={(used.length === 0 ? (['identified'] as const) : used).map((name) => ({
                name,
                label: t(`types.${name}`),
                color: typeColors[name],
              }))}
            />
          );
        }
        const series: ChartSeries[] = [
          { name: 'created', label: t('growth.created'), color: 'teal.6' },
          { name: 'deleted', label: t('growth.deleted'), color: 'gray.5' },
          { name: 'optedOut', label: t('growth.optedOut'), color: 'red.6' },
        ];
        return (
          <ChartCard
            {...shared}
            kind="bar"
            label={t('growth.changesLabel', period)}
            days={days.map(({ day, created, deleted, opted_out: out }) => ({
              day,
              values: { created, deleted, optedOut: out.email + out.sms + out.whatsapp },
            }))}
            series={series}
          />
        );
      }}
    </QueryState>
  );
}
