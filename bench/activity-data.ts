/** How much is recorded. */
export interface ActivitySize {
  readonly activities: number;
  readonly contacts: number;
}

/** A made-up activity, the same for the same number. */
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
// Fixed for the run; what was recorded first is a year old.
const start = Math.floor(Date.now() / day - days) * day;

/** In a thousand: most is sent and delivered, a tenth is opened, some is followed, little bounces or is unsubscribed from. */
const kinds = [
  [450, 'sent'],
  [860, 'delivered'],
  [960, 'open'],
  [988, 'click'],
  [998, 'bounce'],
  [1000, 'unsubscribe'],
] as const;

/** The n-th activity: people at random, the year from its beginning to its end, each up to three days late, as activities come in. */
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

/** The activity as it is sent. */
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

/** A person, a channel and a week of the part of the year that has `recorded` activities. */
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

/** A number of 32 bits that looks random (murmur3's last step). */
function mix(n: number): number {
  let mixed = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
