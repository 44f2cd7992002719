import { AreaChart, BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import { useIsNarrow } from '#components/layout/use-is-narrow.ts';
import { formatDate, formatNumber } from '#components/values/format.ts';
import type { ReactNode } from 'react';
import { daysToName, largestOf, shortDay, shortNumber, ticksFor, type DayChartProps } from './chart-data.ts';

/** The chart of {@link DayChart}. It is in a chunk of its own, because the library is large. */
export function DayChartView(props: DayChartProps): ReactNode {
  const { kind, isStacked = false, days, series, label } = props;
  const isNarrow = useIsNarrow();
  const ticks = ticksFor(largestOf(props));
  const shared = {
    h: 236,
    data: days.map(({ day, values }) => ({ day, ...values })),
    dataKey: 'day',
    valueFormatter: (value: number) => formatNumber(value),
    gridAxis: 'x',
    tickLine: 'none',
    textColor: 'var(--mantine-color-dimmed)',
    xAxisProps: { tickFormatter: shortDay, ticks: daysToName(days, isNarrow ? 4 : undefined), interval: 0 },
    yAxisProps: { tickFormatter: shortNumber, width: widthOf(ticks), ticks, interval: 0, domain: [0, ticks.at(-1)!] },
    tooltipProps: { labelFormatter: (day: unknown) => (typeof day === 'string' && day !== '' ? formatDate(day) : '') },
    // The card has a table with the same numbers, which a keyboard reaches.
    accessibilityLayer: false,
    role: 'img',
    'aria-label': label,
  } as const;
  const still = { isAnimationActive: false } as const;
  switch (kind) {
    case 'area':
      return (
        <AreaChart
          {...shared}
          series={[...series]}
          type={isStacked ? 'stacked' : 'default'}
          curveType="linear"
          withDots={false}
          fillOpacity={isStacked ? 0.75 : 0.2}
          strokeWidth={isStacked ? 0 : 1.5}
          areaProps={still}
        />
      );
    case 'bar':
      return (
        <BarChart
          {...shared}
          series={[...series]}
          type={isStacked ? 'stacked' : 'default'}
          maxBarWidth={28}
          barProps={still}
        />
      );
    case 'line':
      return (
        <LineChart
          {...shared}
          series={[...series]}
          curveType="linear"
          withDots={false}
          strokeWidth={2}
          lineProps={still}
        />
      );
  }
}

/** Pixels for the labels of the axis. German numbers are long: it has no short form below a million. */
const widthOf = (ticks: readonly number[]): number =>
  Math.max(44, 14 + 7 * Math.max(...ticks.map((tick) => shortNumber(tick).length)));
