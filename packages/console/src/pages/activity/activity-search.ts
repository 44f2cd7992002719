import { readPeriod, type PeriodDays } from '#components/charts/period.ts';
import { isChannel, isKind, type Channel, type Kind } from './kinds.ts';

/** The views of the chart. */
export const chartViews = ['volume', 'reactions', 'problems'] as const;

/** A view of the chart. */
export type ChartView = (typeof chartViews)[number];

/** What the page shows, as its address says. Absent fields have their default. */
export interface ActivitySearch {
  readonly days?: PeriodDays | undefined;
  readonly channel?: Channel | undefined;
  /** What the chart shows. Default: what was sent. */
  readonly chart?: ChartView | undefined;
  /** Number of the message whose people are shown. */
  readonly message?: number | undefined;
  /** What these people did. Default: opened. */
  readonly activity?: Kind | undefined;
}

/** Reads the address of the page. Leaves out what is not valid. */
export function readActivitySearch(given: Record<string, unknown>): ActivitySearch {
  const message = Number(given['message']);
  const isMessage = given['message'] !== undefined && Number.isSafeInteger(message) && message >= 0;
  return {
    days: readPeriod(given['days']),
    channel: isChannel(given['channel']) ? given['channel'] : undefined,
    chart: chartViews.find((view) => view === given['chart'] && view !== 'volume'),
    message: isMessage ? message : undefined,
    activity: isKind(given['activity']) ? given['activity'] : undefined,
  };
}
