import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { QueryState } from '#components/states/query-state.tsx';
import { DateTime } from '#components/values/date-time.tsx';
import { formatDate, formatNumber } from '#components/values/format.ts';
import { useTexts } from '#texts/use-texts.ts';
import { useListGrowth } from './use-list-growth.ts';
import styles from './audiences.module.css';

const spans = ['30', '90', '365'] as const;

/** How the number of members of a list changed, as charts. */
export function ListGrowth({ audienceId }: { readonly audienceId: number }): ReactNode {
  const t = useTexts('audiences');
  const [days, setDays] = useState<string>('30');
  const growth = useListGrowth(audienceId, Number(days));
  return (
    <Stack className={styles.scroll}>
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('growth.span')}
          data={spans.map((value) => ({ value, label: t('growth.days', { count: Number(value) }) }))}
          value={days}
          onChange={setDays}
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
