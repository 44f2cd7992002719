import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { Paper, Title, type MantineColor } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDate, formatNumber } from '#components/values/format.ts';

/** The numbers of one day, in the order of the series. Null: the number is not known. */
export interface GrowthDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly values: readonly (number | null)[];
}

/** A chart of the growth of a list or segment, with its title: a line with steps, or bars. */
export function GrowthChart({
  title,
  kind,
  days,
  series,
}: {
  readonly title: string;
  readonly kind: 'steps' | 'bars';
  readonly days: readonly GrowthDay[];
  readonly series: readonly { readonly name: string; readonly color: MantineColor }[];
}): ReactNode {
  const shared = {
    h: 220,
    data: days.map(({ day, values }) => ({
      day: formatDate(day),
      ...Object.fromEntries(series.map(({ name }, index) => [name, values[index] ?? null])),
    })),
    dataKey: 'day',
    series: [...series],
    valueFormatter: (value: number) => formatNumber(value),
    yAxisProps: { width: 64, allowDecimals: false },
  };
  return (
    <Paper withBorder p="md" radius="md" flex="none">
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {kind === 'steps' ? (
        <AreaChart {...shared} curveType="step" connectNulls={false} />
      ) : (
        <BarChart {...shared} type="stacked" maxBarWidth={36} withLegend />
      )}
    </Paper>
  );
}
