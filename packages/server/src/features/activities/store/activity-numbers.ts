import { activityKinds, channels, type ActivityKind, type Channel } from '@roster/contract';

/** The number under which a channel is stored: its position in the list of the contract, which only grows at its end. */
export function channelNumber(channel: Channel): number {
  return channels.indexOf(channel) + 1;
}

/** The channel of a number. */
export function channelOf(number: number): Channel {
  return channels[number - 1]!;
}

/** The number under which a kind of activity is stored. */
export function kindNumber(kind: ActivityKind): number {
  return activityKinds.indexOf(kind) + 1;
}

/** The kind of activity of a number. */
export function kindOf(number: number): ActivityKind {
  return activityKinds[number - 1]!;
}
