import type { MantineColor } from '@mantine/core';
import { dateFormat, formatNumber } from '#components/values/format.ts';

/** One line, area or bar of a chart. */
export interface ChartSeries {
  /** The field of {@link ChartDay}. */
  readonly name: string;
  readonly label: string;
  readonly color: MantineColor;
}

/** The numbers of one day, by the names of the series. */
export interface ChartDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly values: Readonly<Record<string, number>>;
}

/** What a chart by day shows. */
export interface DayChartProps {
  readonly kind: 'area' | 'bar' | 'line';
  /** Areas or bars are on top of each other. */
  readonly isStacked?: boolean;
  readonly days: readonly ChartDay[];
  readonly series: readonly ChartSeries[];
  /** What the chart shows, for screen readers. */
  readonly label: string;
}

/** Formats a day for an axis: `30 Jan`. */
export function shortDay(day: string): string {
  return dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
}

/** Formats a number for an axis: `1.2M`. */
export function shortNumber(value: number): string {
  return formatNumber(value, { notation: 'compact', maximumFractionDigits: 1, useGrouping: 'always' });
}

/**
 * Returns round numbers for an axis, from 0 to at least the largest value. Counts have no decimals.
 */
export function ticksFor(largest: number): number[] {
  const rough = Math.max(largest, 4) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!,
  );
  const whole = Math.ceil(step);
  return Array.from({ length: Math.ceil(Math.max(largest, 1) / whole) + 1 }, (_, index) => index * whole);
}

/** Returns the largest value of a chart: of a stack, or of one series. */
export function largestOf({ days, series, isStacked = false }: DayChartProps): number {
  return days.reduce((largest, { values }) => {
    const own = series.map(({ name }) => values[name] ?? 0);
    return Math.max(largest, isStacked ? own.reduce((sum, value) => sum + value, 0) : Math.max(...own));
  }, 0);
}

/** Returns all days from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  const end = Date.parse(to);
  for (let at = Date.parse(from); at <= end; at += 86_400_000) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Maximum number of days that an axis names. */
const namedDays = 6;

/**
 * Returns the days that an axis names, at equal distances and with the first one. The library would
 * measure each text to choose them, which takes a third of the time of a chart.
 */
export function daysToName(days: readonly ChartDay[], most = namedDays): string[] {
  const step = Math.max(1, Math.ceil(days.length / most));
  return days.filter((_, index) => index % step === 0).map(({ day }) => day);
}
