import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { GrowthChart } from './growth-chart.tsx';
import { GrowthPanel, useGrowthPeriod } from './growth-panel.tsx';
import { useListGrowth } from './use-list-growth.ts';

/** How the number of members of a list changed, as charts. */
export function ListGrowth({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const growth = useListGrowth(audienceId, useGrowthPeriod());
  return (
    <GrowthPanel>
      <QueryState query={growth}>
        {({ data, counted_since: since }) => {
          const joined = data.reduce((sum, day) => sum + day.joined, 0);
          const left = data.reduce((sum, day) => sum + day.left, 0);
          return (
            <>
              <Text size="sm">
                {t('growth.summary', { joined: formatNumber(joined), left: formatNumber(left) })}{' '}
                <Text component="span" inherit c="dimmed">
                  {t('growth.since')} <DateTime value={since} />
                </Text>
              </Text>
              <GrowthChart
                title={t('growth.members')}
                kind="steps"
                days={data.map(({ day, member_count: members }) => ({ day, values: [members] }))}
                series={[{ name: t('growth.members'), color: 'indigo.6' }]}
              />
              <GrowthChart
                title={t('growth.changes')}
                kind="bars"
                days={data.map((day) => ({ day: day.day, values: [day.joined, -day.left] }))}
                series={[
                  { name: t('growth.joined'), color: 'teal.6' },
                  { name: t('growth.left'), color: 'orange.6' },
                ]}
              />
            </>
          );
        }}
      </QueryState>
    </GrowthPanel>
  );
}
