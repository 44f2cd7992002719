import { activityKinds, channels, type ActivityKind, type Channel } from '@roster/contract';

/** Returns the stored number of a channel: its position in the contract, which only appends. */
export function channelNumber(channel: Channel): number {
  return channels.indexOf(channel) + 1;
}

/** Returns the channel of a stored number. */
export function channelOf(number: number): Channel {
  return channels[number - 1]!;
}

/** Returns the stored number of a kind of activity. */
export function kindNumber(kind: ActivityKind): number {
  return activityKinds.indexOf(kind) + 1;
}

/** Returns the kind of activity of a stored number. */
export function kindOf(number: number): ActivityKind {
  return activityKinds[number - 1]!;
}
