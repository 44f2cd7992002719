import { channels, type ActivityKind, type Channel } from '@roster/contract';
import { columnAt, columnMinutes, seenKinds, summaryColumns, summaryKinds } from './summary-columns.ts';

/**
 * Begins the name of every derived attribute. No attribute can have such a name, because names of
 * attributes have no dot.
 */
const derivedPrefix = 'activity.';

/** The windows of counts, in days. */
const windows = [30, 90] as const;

/** The days of a window. */
export type WindowDays = (typeof windows)[number];

/**
 * How the value of a derived attribute is computed from a row of `activity_summaries`, or from the
 * activities about messages that were sent.
 */
export type DerivedValue =
  /** The value of a column. */
  | { readonly kind: 'time'; readonly column: string }
  /** The number of minutes in some columns that are in a window. */
  | { readonly kind: 'count'; readonly columns: readonly string[]; readonly days: WindowDays }
  | { readonly kind: 'score' }
  | SentValue;

/** A value that is computed from activities when it is used. */
export type SentValue =
  /** The time of the last message that was sent on a channel. */
  | { readonly kind: 'last_sent'; readonly channel: Channel }
  /** The number of messages that were sent in a window, on one channel or on all. */
  | { readonly kind: 'times_sent'; readonly channel?: Channel; readonly days: WindowDays };

/** A derived attribute. All accounts have the same. */
export interface DerivedField {
  readonly name: string;
  readonly type: 'datetime' | 'number';
  readonly doc: string;
  readonly value: DerivedValue;
}

/** A derived attribute about messages that were sent. */
export type SentField = DerivedField & { readonly value: SentValue };

/** True for a derived attribute that is not in the summaries, but computed from the activities. */
export function isSentField(field: DerivedField): field is SentField {
  return field.value.kind === 'last_sent' || field.value.kind === 'times_sent';
}

const kinds = ['sent', ...summaryKinds] as const;
type Kind = (typeof kinds)[number];
const verbs: Readonly<Record<Kind, string>> = { sent: 'was sent', open: 'was opened', click: 'was clicked' };

function lastOf(kind: Kind, channel: Channel): DerivedValue {
  return kind === 'sent' ? { kind: 'last_sent', channel } : { kind: 'time', column: columnAt(channel, kind) };
}

/** Without `channel`: on all channels. */
function countOf(kind: Kind, days: WindowDays, channel?: Channel): DerivedValue {
  if (kind === 'sent') return { kind: 'times_sent', days, ...(channel === undefined ? {} : { channel }) };
  const counted = channel === undefined ? channels : [channel];
  return { kind: 'count', columns: counted.map((one) => columnMinutes(one, kind)), days };
}

const all: readonly DerivedField[] = withPrefix([
  {
    name: 'first_seen',
    type: 'datetime',
    doc: 'When the person first did something: the first open, click, unsubscribe or spam complaint that is kept.',
    value: { kind: 'time', column: 'first_seen' },
  },
  {
    name: 'last_seen',
    type: 'datetime',
    doc: 'When the person last did something.',
    value: { kind: 'time', column: 'last_seen' },
  },
  {
    name: 'engagement_score',
    type: 'number',
    doc: 'From 0 to 100; see the formula in docs/derived-attributes.md.',
    value: { kind: 'score' },
  },
  ...kinds.flatMap((kind) =>
    windows.map((days) => ({
      name: `${kind}_${days}_days`,
      type: 'number' as const,
      doc: `How many times a message on any channel ${verbs[kind]} in the last ${days} days.`,
      value: countOf(kind, days),
    })),
  ),
  ...channels.flatMap((channel) =>
    kinds.flatMap((kind): DerivedField[] => [
      {
        name: `${channel}.last_${kind}`,
        type: 'datetime',
        doc: `When a message on this channel ${verbs[kind]} last.`,
        value: lastOf(kind, channel),
      },
      ...windows.map((days) => ({
        name: `${channel}.${kind}_${days}_days`,
        type: 'number' as const,
        doc: `How many times a message on this channel ${verbs[kind]} in the last ${days} days.`,
        value: countOf(kind, days, channel),
      })),
    ]),
  ),
]);

function withPrefix(fields: readonly DerivedField[]): DerivedField[] {
  return fields.map((field) => ({ ...field, name: derivedPrefix + field.name }));
}

/** All derived attributes, by name, in the order of the documentation. */
export const derivedFields: ReadonlyMap<string, DerivedField> = new Map(all.map((field) => [field.name, field]));

/**
 * Whether searches can use the derived attributes of an account. `building`: they are being computed
 * the first time.
 */
export type DerivedState = 'off' | 'building' | 'ready';

/** True when stored columns have a derived attribute, which tells about activities. */
export function haveDerived(columns: readonly { readonly field?: string | undefined }[]): boolean {
  return columns.some(({ field }) => field !== undefined && derivedFields.has(field));
}

/** The largest engagement score. */
export const maxScore = 100;

/**
 * The weights of the engagement score: points for each open and each click, by window. What is in
 * the last 30 days is in the last 90 days too, so it gets the points of both.
 */
export const scoreWeights: readonly {
  readonly kind: 'open' | 'click';
  readonly days: WindowDays;
  readonly points: number;
}[] = [
  { kind: 'open', days: 30, points: 3 },
  { kind: 'open', days: 90, points: 2 },
  { kind: 'click', days: 30, points: 6 },
  { kind: 'click', days: 90, points: 4 },
];

/** Returns the kinds of activities that can change a derived attribute. */
export function kindsOfDerived({ value }: DerivedField): readonly ActivityKind[] {
  if (value.kind === 'last_sent' || value.kind === 'times_sent') return ['sent'];
  if (value.kind === 'score') return [...new Set(scoreWeights.map(({ kind }) => kind))];
  if (value.kind === 'time') {
    const column = summaryColumns.find(({ at }) => at === value.column);
    return column === undefined ? seenKinds : [column.kind];
  }
  const names: ReadonlySet<string> = new Set(value.columns);
  return [...new Set(summaryColumns.filter(({ minutes }) => names.has(minutes)).map(({ kind }) => kind))];
}

/** Returns the windows of a derived attribute, in days. A time has none. */
export function windowsOfDerived({ value }: DerivedField): readonly WindowDays[] {
  if (value.kind === 'time' || value.kind === 'last_sent') return [];
  return value.kind === 'score' ? windows : [value.days];
}
