/** The size of a run. */
export interface ActivitySize {
  readonly activities: number;
  readonly contacts: number;
}

/** A generated activity. The same number always gives the same activity. */
export interface BenchActivity {
  readonly identity: string;
  readonly channel: 'email' | 'sms';
  readonly activity: 'sent' | 'delivered' | 'open' | 'click' | 'bounce' | 'unsubscribe';
  readonly at: Date;
  readonly id: string;
  readonly message: number;
  readonly variant: number;
}

const day = 86_400_000;
const days = 365;
// The oldest activity is a year old. The start is fixed for a run.
const start = Math.floor(Date.now() / day - days) * day;

/** The mix of activities, as cumulative shares of 1,000. */
const kinds = [
  [450, 'sent'],
  [860, 'delivered'],
  [960, 'open'],
  [988, 'click'],
  [998, 'bounce'],
  [1000, 'unsubscribe'],
] as const;

/**
 * Returns the n-th activity. People are random. Times run through the year, and each is up to three
 * days off, because real activities arrive late.
 */
export function activityAt(n: number, { activities, contacts }: ActivitySize): BenchActivity {
  const mixed = mix(n);
  const kind = mixed % 1000;
  return {
    identity: identityOf(mix(n + 0x5bd1e995) % contacts),
    channel: (mixed >>> 10) % 4 === 0 ? 'sms' : 'email',
    activity: kinds.find(([below]) => kind < below)![1],
    at: new Date(start + Math.floor((n / activities) * (days - 4) * day) + (mix(n ^ 0x2545f491) % (3 * day))),
    id: `${mixed.toString(16).padStart(8, '0')}-${n.toString(16).padStart(12, '0')}`,
    message: 1000 + Math.floor(n / 5000),
    variant: mixed >>> 12,
  };
}

/** Returns the activity as a record of a request. */
export function recordOf({ identity, channel, activity, at, id, message, variant }: BenchActivity): object {
  const record = {
    identity,
    channel,
    activity,
    occurred_at: at.toISOString(),
    id,
    message_id: message,
    msg_name: `Campaign ${message}`,
  };
  if (activity === 'bounce') return { ...record, bounce_type: variant % 10 === 0 ? 'hard' : 'soft' };
  if (activity !== 'open' && activity !== 'click') return record;
  const device = {
    ip: `203.0.${(variant >>> 8) % 256}.${variant % 256}`,
    device: variant % 3 === 0 ? 'Desktop' : 'Mobile',
    os: variant % 3 === 0 ? 'Windows 11' : 'Android 16',
    browser: 'Chrome 141',
  };
  return activity === 'open'
    ? { ...record, ...device }
    : { ...record, ...device, link: `https://shop.example.com/p/${variant}` };
}

/**
 * Returns a random person, channel and week. The week is in the part of the year that the first
 * `recorded` activities cover.
 */
export function weekOf(random: () => number, recorded: number, { activities, contacts }: ActivitySize) {
  const last = Math.max(7, Math.floor((recorded / activities) * (days - 4)));
  const first = start + Math.floor(random() * (last - 6)) * day;
  return {
    identity: identityOf(Math.floor(random() * contacts)),
    channel: random() < 0.25 ? 'sms' : 'email',
    from: digits(first),
    to: digits(first + 6 * day),
  };
}

function identityOf(n: number): string {
  return `person${n}@example${n % 97}.com`;
}

function digits(at: number): string {
  const [year, month, date] = new Date(at).toISOString().slice(0, 10).split('-');
  return `${date}${month}${year}`;
}

/** Returns a pseudo-random 32-bit number (the last step of murmur3). */
function mix(n: number): number {
  let mixed = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
