import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { Box, type MantineColor } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChartFrame } from '#components/charts/chart-card.tsx';
import { DayTable } from '#components/charts/day-table.tsx';
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
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  const label = first === undefined ? title : `${title}, ${formatDate(first)} – ${formatDate(last!)}`;
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
    // The table has the same numbers, and a keyboard reaches it.
    accessibilityLayer: false,
    role: 'img' as const,
    'aria-label': label,
  };
  return (
    <Box flex="none">
      <ChartFrame
        title={title}
        chart={
          kind === 'steps' ? (
            <AreaChart {...shared} curveType="step" connectNulls={false} />
          ) : (
            <BarChart {...shared} type="stacked" maxBarWidth={36} withLegend />
          )
        }
        table={
          <DayTable
            label={label}
            days={days.map(({ day, values }) => ({
              day,
              // A chart shows who left as bars below zero.
              values: Object.fromEntries(
                values.map((value, at) => [series[at]!.name, value === null ? null : Math.abs(value)]),
              ),
            }))}
            series={series.map(({ name, color }) => ({ name, label: name, color }))}
          />
        }
      />
    </Box>
  );
}
