import { writeBigint, writeTimestamp } from './binary.ts';

const none = -1;

/** Writes the fields of tuples one after the other, in the binary form of COPY; undefined is null. */
export class TupleWriter {
  #bytes: Buffer;
  #at = 0;

  /** `capacity` in bytes is what is taken at first; it grows where that is not enough. */
  constructor(capacity = 64 * 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** What was written; nothing may be written any more. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** The bytes written so far. */
  get length(): number {
    return this.#at;
  }

  text(value: string | undefined): void {
    if (value === undefined) return this.null();
    // UTF-8 has at most three bytes for a unit of UTF-16.
    this.#reserve(value.length * 3);
    const length = this.#bytes.write(value, this.#at + 4);
    this.#at = this.#bytes.writeInt32BE(length, this.#at) + length;
  }

  /** A text that is ASCII, from where it stands. */
  ascii(from: Buffer, begin: number, end: number): void {
    const length = end - begin;
    this.#reserve(length);
    const bytes = this.#bytes;
    let at = bytes.writeInt32BE(length, this.#at);
    // Most are short: copying them one by one takes less than a call.
    for (let place = begin; place < end; place++) bytes[at++] = from[place]!;
    this.#at = at;
  }

  smallint(value: number): void {
    this.#reserve(2);
    this.#at = this.#bytes.writeInt16BE(value, this.#bytes.writeInt32BE(2, this.#at));
  }

  integer(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#bytes.writeInt32BE(4, this.#at));
  }

  bigint(value: number | undefined): void {
    if (value === undefined) return this.null();
    this.#reserve(8);
    this.#at = writeBigint(this.#bytes, value, this.#bytes.writeInt32BE(8, this.#at));
  }

  /** In milliseconds since 1970. */
  timestamp(value: number): void {
    this.#reserve(8);
    this.#at = writeTimestamp(this.#bytes, value, this.#bytes.writeInt32BE(8, this.#at));
  }

  boolean(value: boolean | undefined): void {
    if (value === undefined) return this.null();
    this.#reserve(1);
    this.#at = this.#bytes.writeUInt8(Number(value), this.#bytes.writeInt32BE(1, this.#at));
  }

  null(): void {
    this.#reserve(0);
    this.#at = this.#bytes.writeInt32BE(none, this.#at);
  }

  /** The beginning of a tuple with so many fields. */
  begin(fields: number): void {
    this.#reserve(0);
    this.#at = this.#bytes.writeInt16BE(fields, this.#at);
  }

  /** Fields that are written already. */
  fields(from: Buffer, begin: number, end: number): void {
    this.#reserve(end - begin);
    this.#at += from.copy(this.#bytes, this.#at, begin, end);
  }

  #reserve(length: number): void {
    const needed = this.#at + 4 + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** Where the field behind the one that begins at a place begins. */
export function endOfField(bytes: Buffer, at: number): number {
  return at + 4 + Math.max(bytes.readInt32BE(at), 0);
}

/** The bytes of the field that begins at a place; undefined for null. */
export function fieldAt(bytes: Buffer, at: number): Buffer | undefined {
  const length = bytes.readInt32BE(at);
  return length === none ? undefined : bytes.subarray(at + 4, at + 4 + length);
}
