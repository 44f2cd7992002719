import type { ActivityStatistics } from '@roster/client';
import { formatPercent } from '#components/values/format.ts';

/** Numbers of activities of one channel, day or message. */
export type Numbers = Readonly<Record<Kind, number>>;

/** The channels of messages. */
export const channels = ['email', 'sms', 'whatsapp', 'app_push', 'web_push'] as const;

/** A channel of messages. */
export type Channel = ActivityStatistics['totals'][number]['channel'];

/** The kinds of activities, in the order in which they happen. */
export const kinds = ['sent', 'delivered', 'open', 'click', 'bounce', 'unsubscribe', 'spam'] as const;

/** A kind of activity. */
export type Kind = (typeof kinds)[number];

/** Tells whether a value is a channel. */
export const isChannel = (value: unknown): value is Channel => (channels as readonly unknown[]).includes(value);

/** Tells whether a value is a kind of activity. */
export const isKind = (value: unknown): value is Kind => (kinds as readonly unknown[]).includes(value);

/** Adds up numbers. */
export function sumOf(rows: readonly Numbers[]): Numbers {
  return Object.fromEntries(kinds.map((kind) => [kind, rows.reduce((sum, row) => sum + row[kind], 0)])) as Record<
    Kind,
    number
  >;
}

/**
 * Returns the rate of a kind as text; undefined if there is nothing to divide by. Delivered messages
 * and bounces are divided by sent ones. Everything else is divided by delivered ones, or by sent
 * ones if the sender reports no deliveries.
 */
export function rateOf(numbers: Numbers, kind: Kind): string | undefined {
  if (kind === 'sent') return undefined;
  const base = kind === 'delivered' || kind === 'bounce' || numbers.delivered === 0 ? numbers.sent : numbers.delivered;
  if (base === 0) return undefined;
  const share = numbers[kind] / base;
  return formatPercent(share, share < 0.01 ? 2 : 1);
}
