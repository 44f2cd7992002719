import { Text } from '@mantine/core';
import type { Segment, SegmentGrowth as Growth } from '@roster/client';
import { ChartLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { daysBetween } from '#components/charts/chart-data.ts';
import { EmptyState } from '#components/states/empty-state.tsx';
import { QueryState } from '#components/states/query-state.tsx';
import { formatDate, formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { GrowthChart, type GrowthDay } from './growth-chart.tsx';
import { GrowthPanel, useGrowthPeriod } from './growth-panel.tsx';
import { useSegmentGrowth } from './use-segment-growth.ts';

/** How the number of contacts of a segment changed, as a chart. */
export function SegmentGrowth({ segment }: { readonly segment: Segment }): ReactNode {
  const t = useTexts('audiences');
  const growth = useSegmentGrowth(segment.audience_id, useGrowthPeriod());
  return (
    <GrowthPanel>
      <QueryState query={growth}>
        {(found) => {
          const [first] = found.days;
          const flow = segment.live !== null && found.live_days.length > 0 && <LiveDays growth={found} />;
          if (first === undefined) {
            if (flow !== false) return flow;
            const state = isNew(segment, found) ? 'first' : 'missing';
            return <EmptyState icon={ChartLine} title={t(`growth.${state}.title`)} text={t(`growth.${state}.text`)} />;
          }
          const last = found.days.at(-1)!;
          return (
            <>
              <Text size="sm">
                {last !== first &&
                  t('growth.change', {
                    change: formatNumber(last.contacts - first.contacts, { signDisplay: 'exceptZero' }),
                    day: formatDate(first.day),
                  })}{' '}
                <Text component="span" inherit c="dimmed">
                  {t('growth.daily')}
                </Text>
              </Text>
              <GrowthChart
                title={t('contacts')}
                kind="steps"
                days={chartDays(found)}
                series={[{ name: t('contacts'), color: 'indigo.6' }]}
              />
              {flow}
            </>
          );
        }}
      </QueryState>
    </GrowthPanel>
  );
}

/** The entries and departures of a live segment by day, as bars. */
function LiveDays({ growth: { live_days: days, to } }: { readonly growth: Growth }): ReactNode {
  const t = useTexts('audiences');
  const counts = new Map(days.map((one) => [one.day, one]));
  return (
    <>
      <GrowthChart
        title={t('live.title')}
        kind="bars"
        days={daysBetween(days[0]!.day, to).map((day) => {
          const { entered, left } = counts.get(day) ?? { entered: 0, left: 0 };
          return { day, values: [entered, -left] };
        })}
        series={[
          { name: t('live.entered'), color: 'teal.6' },
          { name: t('live.left'), color: 'orange.6' },
        ]}
      />
      <Text size="xs" c="dimmed">
        {t('live.entriesNote')}
      </Text>
    </>
  );
}

/** True when the segment was created on the last day of an answer, which is today. */
function isNew({ created_at: createdAt }: Segment, { to, time_zone: timeZone }: Growth): boolean {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(createdAt)) >= to;
}

/** Returns all days since the first count. Days without a count are gaps in the chart. */
function chartDays({ days, to }: Growth): GrowthDay[] {
  const counts = new Map(days.map(({ day, contacts }) => [day, contacts]));
  return daysBetween(days[0]!.day, to).map((day) => ({ day, values: [counts.get(day) ?? null] }));
}
