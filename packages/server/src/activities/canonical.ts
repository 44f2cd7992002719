import { activityKinds, anonymousPrefix, channels, isWrittenMoment, type ActivityRecord } from '@roster/contract';

// Visible ASCII, with spaces within: there is nothing to trim, to count in characters or to refuse.
const plainText = /^[!-~](?:[ -~]*[!-~])?$/;

const text = (maxLength: number) => (value: unknown) =>
  typeof value === 'string' && value.length <= maxLength && plainText.test(value);

const word = (words: readonly string[]) => {
  const known: ReadonlySet<unknown> = new Set(words);
  return (value: unknown) => known.has(value);
};

const name = text(255);

/** By the name of a field: true for values that the reader of the contract answers as they are. */
const checks: { readonly [Field in keyof ActivityRecord]-?: (value: unknown) => boolean } = {
  identity: (value) => name(value) && !(value as string).startsWith(anonymousPrefix),
  channel: word(channels),
  activity: word(activityKinds),
  occurred_at: (value) => typeof value === 'string' && isWrittenMoment(value),
  id: name,
  message_id: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  msg_name: name,
  ip: text(45),
  device: name,
  os: name,
  browser: name,
  link: text(2048),
  bounce_type: word(['hard', 'soft']),
};
const checkOf: ReadonlyMap<string, (value: unknown) => boolean> = new Map(Object.entries(checks));

/**
 * True for a record that the reader of the contract answers as it is, which most are; looking takes a fourth of the time of reading.
 *
 * False says nothing: the record may still be right, such as one with a text beyond ASCII. The reader is the judge, and a test compares the two.
 */
export function isCanonical(record: unknown): record is ActivityRecord {
  if (typeof record !== 'object' || record === null) return false;
  const { identity, channel, activity, occurred_at: at } = record as Partial<ActivityRecord>;
  if (identity === undefined || channel === undefined || activity === undefined || at === undefined) return false;
  for (const field in record) {
    if (checkOf.get(field)?.(record[field as never]) !== true) return false;
  }
  return true;
}
