import { channels, type ActivityKind } from '@roster/contract';
import type { SummaryKind } from '#platform/database/schema/tables/activity-summaries.ts';
import { columnAt, columnMinutes, seenKinds, summaryColumns, summaryKinds } from './summary-columns.ts';

/**
 * Begins the name of every derived attribute. No attribute can have such a name, because names of
 * attributes have no dot.
 */
export const derivedPrefix = 'activity.';

/** The windows of counts, in days. */
export const windows = [30, 90] as const;

/** The days of a window. */
export type WindowDays = (typeof windows)[number];

/** How the value of a derived attribute is computed from a row of `activity_summaries`. */
export type DerivedValue =
  /** The value of a column. */
  | { readonly kind: 'time'; readonly column: string }
  /** The number of minutes in some columns that are in a window. */
  | { readonly kind: 'count'; readonly columns: readonly string[]; readonly days: WindowDays }
  | { readonly kind: 'score' };

/** A derived attribute. All accounts have the same. */
export interface DerivedField {
  readonly name: string;
  readonly type: 'datetime' | 'number';
  readonly doc: string;
  readonly value: DerivedValue;
  /** True when it needs the messages that were sent, which not all accounts with summaries keep. */
  readonly needsSent: boolean;
}

const verbs: Readonly<Record<SummaryKind, string>> = { sent: 'was sent', open: 'was opened', click: 'was clicked' };

function minutesOf(kind: SummaryKind): string[] {
  return channels.map((channel) => columnMinutes(channel, kind));
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
  ...summaryKinds.flatMap((kind) =>
    windows.map((days) => ({
      name: `${kind}_${days}_days`,
      type: 'number' as const,
      doc: `How many times a message on any channel ${verbs[kind]} in the last ${days} days.`,
      value: { kind: 'count' as const, columns: minutesOf(kind), days },
    })),
  ),
  ...channels.flatMap((channel) =>
    summaryKinds.flatMap((kind): Omit<DerivedField, 'needsSent'>[] => [
      {
        name: `${channel}.last_${kind}`,
        type: 'datetime',
        doc: `When a message on this channel ${verbs[kind]} last.`,
        value: { kind: 'time', column: columnAt(channel, kind) },
      },
      ...windows.map((days) => ({
        name: `${channel}.${kind}_${days}_days`,
        type: 'number' as const,
        doc: `How many times a message on this channel ${verbs[kind]} in the last ${days} days.`,
        value: { kind: 'count' as const, columns: [columnMinutes(channel, kind)], days },
      })),
    ]),
  ),
]);

function withPrefix(fields: readonly Omit<DerivedField, 'needsSent'>[]): DerivedField[] {
  return fields.map((field) => ({
    ...field,
    name: derivedPrefix + field.name,
    needsSent: /(^|[._])sent(_|$)/.test(field.name),
  }));
}

/** All derived attributes, by name, in the order of the documentation. */
export const derivedFields: ReadonlyMap<string, DerivedField> = new Map(all.map((field) => [field.name, field]));

/** Whether searches can use the derived attributes of an account. */
export interface DerivedState {
  /** `building`: they are being computed the first time. */
  readonly state: 'off' | 'building' | 'ready';
  /** The account also keeps the messages that were sent. */
  readonly withSent: boolean;
}

/** Returns the derived attributes that an account has, or is getting. */
export function derivedFieldsOf({ withSent }: Pick<DerivedState, 'withSent'>): DerivedField[] {
  return [...derivedFields.values()].filter(({ needsSent }) => withSent || !needsSent);
}

/** True when the account has a derived attribute, and it is computed. */
export function isUsable({ needsSent }: DerivedField, { state, withSent }: DerivedState): boolean {
  return state === 'ready' && (withSent || !needsSent);
}

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
  if (value.kind === 'time') return [];
  return value.kind === 'count' ? [value.days] : windows;
}
