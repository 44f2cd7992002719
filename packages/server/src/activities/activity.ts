import { activityKinds, channels, type ActivityKind, type Channel } from '@roster/contract';

/** The number under which a channel is stored: its position in the list of the contract, which only grows at its end. */
export function channelNumber(channel: Channel): number {
  return channels.indexOf(channel) + 1;
}

/** The number under which a kind of activity is stored. */
export function kindNumber(kind: ActivityKind): number {
  return activityKinds.indexOf(kind) + 1;
}

/** The kind of activity of a number. */
export function kindOf(number: number): ActivityKind {
  return activityKinds[number - 1]!;
}

/** An activity that a batch records, as far as the batch looks into it. */
export interface NewActivity {
  /** The contact key; follows the contact when the batch changes its identity. */
  key: string;
  /** Index of the request in its batch. */
  readonly request: number;
  readonly channel: number;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly occurredAt: string;
  /** What the `id` of the sender was made into, as the text of a bigint; null without one. */
  readonly recordId: string | null;
  /** The columns that the batch does not look into, as COPY reads them. */
  readonly rest: string;
}
