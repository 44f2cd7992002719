import { channels, type ActivityKind, type Channel } from '@roster/contract';
import { minute } from '#platform/time/intervals.ts';
import type {
  SummaryKind,
  SummaryMinutesColumn,
  SummaryTimeColumn,
} from '#platform/database/schema/tables/activity-summaries.ts';

/** The kinds of activities that people do: they count as a sign of life. */
export const seenKinds = ['open', 'click', 'unsubscribe', 'spam'] as const satisfies readonly ActivityKind[];

/** The kinds of activities that summaries have. */
export const summaryKinds = ['open', 'click'] as const satisfies readonly SummaryKind[];

/** The columns of `activity_summaries` for the activities of one kind on one channel. */
export interface SummaryColumns {
  readonly channel: Channel;
  readonly kind: SummaryKind;
  /** The time of the last such activity. */
  readonly at: SummaryTimeColumn;
  /** The minutes of the last such activities, in ascending order. */
  readonly minutes: SummaryMinutesColumn;
}

/** The columns of every kind and channel. */
export const summaryColumns: readonly SummaryColumns[] = channels.flatMap((channel) =>
  summaryKinds.map((kind) => ({ channel, kind, at: columnAt(channel, kind), minutes: columnMinutes(channel, kind) })),
);

/** Returns the column with the time of the last activity of a kind on a channel. */
export function columnAt(channel: Channel, kind: SummaryKind): SummaryTimeColumn {
  return `${channel}_${kind}_at`;
}

/** Returns the column with the minutes of the activities of a kind on a channel. */
export function columnMinutes(channel: Channel, kind: SummaryKind): SummaryMinutesColumn {
  return `${channel}_${kind}_minutes`;
}

/** Returns the minute of a moment (milliseconds since 1970), as the summaries have it. */
export function minuteOf(moment: number): number {
  return Math.floor(moment / minute);
}

/**
 * For how many days summaries keep the minutes of activities. The longest window begins up to 90
 * days and a few hours ago: 90 days before the beginning of today.
 */
export const minutesKeptDays = 92;
