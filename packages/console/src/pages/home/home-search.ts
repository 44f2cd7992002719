import { readPeriod, type PeriodDays } from '#components/charts/period.ts';

/** The state of the home page in its address. Absent fields have their default. */
export interface HomeSearch {
  readonly days?: PeriodDays | undefined;
  /** What the chart of contacts shows. Default: their number. */
  readonly growth?: 'changes' | undefined;
}

/** Reads the address of the home page. Leaves out what is not valid. */
export function readHomeSearch({ days, growth }: Record<string, unknown>): HomeSearch {
  return { days: readPeriod(days), growth: growth === 'changes' ? growth : undefined };
}
