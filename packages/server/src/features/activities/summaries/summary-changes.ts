import { channels } from '@roster/contract';
import {
  minuteOf,
  minutesKeptDays,
  seenKinds,
  summaryColumns,
  summaryKinds,
} from '#features/registry/derived/summary-columns.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { channelOf, kindNumber, kindOf } from '#platform/database/values/activity-numbers.ts';

/** An activity that a batch stores. */
export interface SummarizedActivity {
  readonly key: string;
  readonly channel: number;
  readonly kind: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What a batch adds to the summary of one contact, of one kind of activity on one channel. */
export interface SummaryChange {
  /** When the first and the last of the activities happened, in milliseconds since 1970. */
  first: number;
  last: number;
  /** The minutes of the activities, in any order. Without those that are too old for the windows. */
  readonly minutes: number[];
}

/** The numbers of the kinds of activities that people do. */
export const personKinds = seenKinds.map(kindNumber);

const isPersonKind: ReadonlySet<number> = new Set(personKinds);
// By number: the position in `summaryColumns`, -1 for the activities that only count as seen, or
// undefined for those that summaries do not have. 16 kinds for each channel.
const places: readonly (number | undefined)[] = channels.flatMap((_, channel) =>
  Array.from({ length: 16 }, (_kind, kind) => placeOf(channel + 1, kind)),
);

function placeOf(channel: number, kind: number): number | undefined {
  const summarized = summaryKinds.map(kindNumber).includes(kind);
  if (!summarized) return isPersonKind.has(kind) ? -1 : undefined;
  return summaryColumns.findIndex((one) => one.channel === channelOf(channel) && one.kind === kindOf(kind));
}

/** The position of {@link SummaryChanges.byColumns} for activities that only count as seen. */
const onlySeen = -1;

/** Collects what a batch adds to the summaries of an account. */
export class SummaryChanges {
  readonly #oldestMinute: number;
  /** By position in `summaryColumns`, or {@link onlySeen}; then by contact key. */
  readonly byColumns = new Map<number, Map<string, SummaryChange>>();

  constructor(now: Date) {
    this.#oldestMinute = oldestMinute(now);
  }

  add({ key, channel, kind, at }: SummarizedActivity): void {
    const place = places[(channel - 1) * 16 + kind];
    if (place === undefined) return;
    let changes = this.byColumns.get(place);
    if (changes === undefined) this.byColumns.set(place, (changes = new Map()));
    const minute = minuteOf(at);
    const isRecent = place !== onlySeen && minute >= this.#oldestMinute;
    const change = changes.get(key);
    if (change === undefined) changes.set(key, { first: at, last: at, minutes: isRecent ? [minute] : [] });
    else {
      if (at < change.first) change.first = at;
      if (at > change.last) change.last = at;
      if (isRecent) change.minutes.push(minute);
    }
  }
}

/** Returns the first minute that summaries keep at a moment. */
export function oldestMinute(now: Date): number {
  return minuteOf(now.getTime() - minutesKeptDays * millisecondsPerDay);
}
