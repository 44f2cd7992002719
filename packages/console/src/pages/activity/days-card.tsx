import type { ActivityStatistics } from '@roster/client';
import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartCard } from '#components/charts/chart-card.tsx';
import { daysBetween } from '#components/charts/chart-data.ts';
import { formatDate } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { chartViews, type ChartView } from './activity-search.ts';
import { sumOf, type Kind, type Numbers } from './kinds.ts';

/** The kinds of each view. Sent messages would hide the few problems in one chart. */
const views: Readonly<Record<ChartView, readonly (readonly [Kind, string])[]>> = {
  volume: [
    ['sent', 'gray.5'],
    ['delivered', 'indigo.5'],
  ],
  reactions: [
    ['open', 'teal.6'],
    ['click', 'orange.6'],
  ],
  problems: [
    ['bounce', 'yellow.7'],
    ['unsubscribe', 'grape.5'],
    ['spam', 'red.6'],
  ],
};

/** The activities of each day. */
export function DaysCard({ statistics: { days, from, to } }: { readonly statistics: ActivityStatistics }): ReactNode {
  const t = useTexts('activity');
  const common = useTexts('common');
  const { chart: view = 'volume' } = useSearch({ from: '/signed-in/accounts/$accountId/activity' });
  const navigate = useNavigate({ from: '/accounts/$accountId/activity' });
  const byDay = Map.groupBy(days, ({ day }) => day);
  return (
    <ChartCard
      title={t('chart.title')}
      kind="bar"
      label={t('chart.label', { view: t(`chart.${view}`), from: formatDate(from), to: formatDate(to) })}
      controls={
        <SegmentedControl
          size="xs"
          aria-label={t('chart.view')}
          data={chartViews.map((value) => ({ value, label: t(`chart.${value}`) }))}
          value={view}
          onChange={(chosen) =>
            void navigate({ search: (old) => ({ ...old, chart: chosen === 'volume' ? undefined : chosen }) })
          }
        />
      }
      days={daysBetween(from, to).map((day) => ({ day, values: valuesOf(byDay.get(day) ?? []) }))}
      series={views[view].map(([name, color]) => ({ name, color, label: common(`activityKinds.${name}`) }))}
    />
  );
}

const valuesOf = (rows: readonly Numbers[]): Numbers => sumOf(rows);
