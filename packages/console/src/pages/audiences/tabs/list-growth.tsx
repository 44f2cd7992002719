import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeriodControl } from '#components/charts/period-control.tsx';
import { defaultPeriod } from '#components/charts/period.ts';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatDate, formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import type { AudienceSearch } from '../audiences-search.ts';
import { useListGrowth } from './use-list-growth.ts';
import styles from './audiences.module.css';

/** How the number of members of a list changed, as charts. */
export function ListGrowth({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const navigate = useNavigate();
  const { days = defaultPeriod } = useSearch({ strict: false }) as AudienceSearch;
  const growth = useListGrowth(audienceId, days);
  return (
    <Stack className={styles.scroll}>
      <Group justify="space-between">
        <PeriodControl
          value={days}
          onChange={(chosen) =>
            void navigate({
              to: '.',
              search: (old: AudienceSearch) => ({ ...old, days: chosen === defaultPeriod ? undefined : chosen }),
            })
          }
        />
      </Group>
      <QueryState query={growth}>
        {({ data, counted_since: since }) => {
          const rows = data.map(({ day, joined, left, member_count: members }) => ({
            day: formatDate(day),
            [t('growth.members')]: members,
            [t('growth.joined')]: joined,
            [t('growth.left')]: -left,
          }));
          const joined = data.reduce((sum, day) => sum + day.joined, 0);
          const left = data.reduce((sum, day) => sum + day.left, 0);
          const common = {
            h: 220,
            data: rows,
            dataKey: 'day',
            valueFormatter: (value: number) => formatNumber(value),
            yAxisProps: { width: 64, allowDecimals: false },
          };
          return (
            <>
              <Text size="sm">
                {t('growth.summary', { joined: formatNumber(joined), left: formatNumber(left) })}{' '}
                <Text component="span" inherit c="dimmed">
                  {t('growth.since')} <DateTime value={since} />
                </Text>
              </Text>
              <Paper withBorder p="md" radius="md" flex="none">
                <Title order={2} size="h5" mb="sm">
                  {t('growth.members')}
                </Title>
                <AreaChart {...common} series={[{ name: t('growth.members'), color: 'indigo.6' }]} curveType="step" />
              </Paper>
              <Paper withBorder p="md" radius="md" flex="none">
                <Title order={2} size="h5" mb="sm">
                  {t('growth.changes')}
                </Title>
                <BarChart
                  {...common}
                  type="stacked"
                  maxBarWidth={36}
                  withLegend
                  series={[
                    { name: t('growth.joined'), color: 'teal.6' },
                    { name: t('growth.left'), color: 'orange.6' },
                  ]}
                />
              </Paper>
            </>
          );
        }}
      </QueryState>
    </Stack>
  );
}
