import { activityKinds, anonymousPrefix, channels, type ActivityKind, type Channel } from '@roster/contract';
import { skipSpaces } from '#platform/http/json/flat-items.ts';
import type { RecordFields, TextField } from './packed.ts';
import type { TupleWriter } from '#platform/database/values/tuple-writer.ts';
import { readMoment } from './moment.ts';
import { recordId } from './record-id.ts';
import { Words } from './words.ts';

const code = { space: 0x20, quote: 0x22, comma: 0x2c, zero: 0x30, nine: 0x39, colon: 0x3a, close: 0x7d } as const;

/** The most characters of the fields that are texts. */
const lengths = {
  identity: 255,
  id: 255,
  msg_name: 255,
  ip: 45,
  device: 255,
  os: 255,
  browser: 255,
  link: 2048,
} as const;
const fieldNames = [
  ...(Object.keys(lengths) as (keyof typeof lengths)[]),
  'channel',
  'activity',
  'occurred_at',
  'message_id',
  'bounce_type',
] as const;
type Field = (typeof fieldNames)[number];

const fields = new Words<Field>(fieldNames);
const channelWords = new Words<Channel>(channels);
const activityWords = new Words<ActivityKind>(activityKinds);
const bounceTypes = new Words<'hard' | 'soft'>(['hard', 'soft']);
const bits = Object.fromEntries(fieldNames.map((name, at) => [name, 1 << at])) as Record<Field, number>;
const required = bits.identity | bits.channel | bits.activity | bits.occurred_at;

// More digits can be beyond what a number holds exactly.
const mostDigits = 15;

/** By byte: 1 for visible ASCII and spaces, as far as they stand for themselves in JSON. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= code.space && byte < 0x7f && byte !== code.quote && byte !== 0x5c),
);

/**
 * Reads the JSON of records whose values are just what the contract's reader makes of them, which most are, byte by byte and without making
 * a text of each: less than half the time of JSON.parse and the reader. The fields are those of the record that was read last.
 *
 * What it does not read may still be right, such as a text beyond ASCII. The reader is the judge, and a test compares the two.
 */
export class CanonicalRecord implements RecordFields {
  identity = '';
  channel: Channel = 'email';
  activity: ActivityKind = 'sent';
  occurredAt = 0;
  recordId: number | undefined;
  messageId: number | undefined;
  isHardBounce = false;
  #bytes: Buffer = Buffer.of();
  readonly #begins = { msg_name: 0, ip: 0, device: 0, os: 0, browser: 0, link: 0 };
  readonly #ends = { msg_name: 0, ip: 0, device: 0, os: 0, browser: 0, link: 0 };

  /** Reads the object that begins at a place; answers the place behind it, or -1 when it has another form. */
  read(bytes: Buffer, from: number): number {
    this.#forget(bytes);
    let seen = 0;
    for (let at = from + 1; ; at++) {
      at = skipSpaces(bytes, at);
      const nameEnd = endOfText(bytes, at);
      const field = nameEnd === -1 ? undefined : fields.find(bytes, at + 1, nameEnd);
      // Of two fields with one name the last counts: rare enough to be left to JSON.parse.
      if (field === undefined || (seen & bits[field]) !== 0) return -1;
      seen |= bits[field];
      at = skipSpaces(bytes, nameEnd + 1);
      if (bytes[at] !== code.colon) return -1;
      at = this.#take(field, bytes, skipSpaces(bytes, at + 1));
      if (at === -1) return -1;
      at = skipSpaces(bytes, at);
      if (bytes[at] === code.close) return (seen & required) === required ? at + 1 : -1;
      if (bytes[at] !== code.comma) return -1;
    }
  }

  writeText(tuple: TupleWriter, field: TextField): void {
    const begin = this.#begins[field];
    if (begin === 0) tuple.null();
    else tuple.ascii(this.#bytes, begin, this.#ends[field]);
  }

  #forget(bytes: Buffer): void {
    this.#bytes = bytes;
    this.recordId = undefined;
    this.messageId = undefined;
    this.isHardBounce = false;
    const begins = this.#begins;
    begins.msg_name = begins.ip = begins.device = begins.os = begins.browser = begins.link = 0;
  }

  /** Takes the value of a field; answers the place behind it, or -1. */
  #take(field: Field, bytes: Buffer, at: number): number {
    if (field === 'message_id') return this.#takeNumber(bytes, at);
    const end = endOfText(bytes, at);
    return end !== -1 && this.#takeText(field, bytes, at + 1, end) ? end + 1 : -1;
  }

  #takeNumber(bytes: Buffer, from: number): number {
    let at = from;
    let value = 0;
    for (let byte = bytes[at]!; byte >= code.zero && byte <= code.nine; byte = bytes[++at]!)
      value = value * 10 + byte - code.zero;
    const digits = at - from;
    if (digits === 0 || digits > mostDigits || (digits > 1 && bytes[from] === code.zero)) return -1;
    this.messageId = value;
    return at;
  }

  #takeText(field: Exclude<Field, 'message_id'>, bytes: Buffer, begin: number, end: number): boolean {
    switch (field) {
      case 'channel':
        return (this.channel = channelWords.find(bytes, begin, end)!) !== undefined;
      case 'activity':
        return (this.activity = activityWords.find(bytes, begin, end)!) !== undefined;
      case 'bounce_type': {
        const type = bounceTypes.find(bytes, begin, end);
        this.isHardBounce = type === 'hard';
        return type !== undefined;
      }
      case 'occurred_at':
        return !Number.isNaN((this.occurredAt = readMoment(bytes, begin, end)));
      default:
    }
    // There is nothing to trim, to count in characters or to leave out.
    const length = end - begin;
    if (length === 0 || length > lengths[field] || bytes[begin] === code.space || bytes[end - 1] === code.space)
      return false;
    switch (field) {
      case 'identity':
        this.identity = bytes.toString('latin1', begin, end);
        return !this.identity.startsWith(anonymousPrefix);
      case 'id':
        this.recordId = recordId(bytes.toString('latin1', begin, end));
        return true;
      default:
        this.#begins[field] = begin;
        this.#ends[field] = end;
        return true;
    }
  }
}

/** The place of the quote that ends the text whose quote is at a place; -1 when there is none, or when it does not stand for itself. */
function endOfText(bytes: Buffer, at: number): number {
  if (bytes[at] !== code.quote) return -1;
  let end = at + 1;
  while (plain[bytes[end]!] === 1) end++;
  return bytes[end] === code.quote ? end : -1;
}
