import { zstdDecompressSync } from 'node:zlib';

/** How a payload is stored. `parts`: one part for each lane, see {@link PartTable}. */
export type PayloadCodec = 'json' | 'zstd' | 'parts';

/**
 * The table in front of a payload with parts. The stored bytes are the length of the table (32 bits,
 * little-endian), the table as JSON, and the texts of all parts together, encoded as a payload
 * without parts. Each text is the payload with only the items of one lane.
 */
export interface PartTable {
  /** The property of the payload that has the items. */
  readonly property: string;
  readonly parts: readonly {
    /** The indexes of the items in the whole request, ascending. */
    readonly indexes: readonly number[];
    /** Length of the text in UTF-16 units. */
    readonly length: number;
  }[];
}

const openingBrace = '{'.charCodeAt(0);

/**
 * A payload as it is stored: of a whole request, or in parts for different lanes. It is decompressed
 * at the first use, and only once. All methods throw when it is damaged.
 */
export class StoredPayload {
  readonly #bytes: Buffer;
  readonly #codec: PayloadCodec;
  #table: PartTable | undefined;
  #text: string | undefined;

  constructor(bytes: Buffer, codec: PayloadCodec) {
    this.#bytes = bytes;
    this.#codec = codec;
  }

  /** The size as it is stored, in bytes. */
  get size(): number {
    return this.#bytes.length;
  }

  /** Returns the whole payload as JSON text. */
  wholeText(): string {
    return this.#codec === 'parts' ? JSON.stringify(this.whole()) : this.#readText();
  }

  /** Decodes the whole payload, as it was before it was split. */
  whole(): object {
    if (this.#codec !== 'parts') return JSON.parse(this.#readText()) as object;
    const { property, parts } = this.#readTable();
    const items: unknown[] = [];
    let merged: object = {};
    for (const [at, { indexes }] of parts.entries()) {
      merged = this.part(at + 1);
      const own = (merged as Record<string, unknown[]>)[property]!;
      for (const [place, index] of indexes.entries()) items[index] = own[place];
    }
    return { ...merged, [property]: items };
  }

  /** Decodes the part with this number, from 1. */
  part(number: number): object {
    const { parts } = this.#readTable();
    const start = parts.slice(0, number - 1).reduce((sum, { length }) => sum + length, 0);
    return JSON.parse(this.#readText().slice(start, start + parts[number - 1]!.length)) as object;
  }

  /** Returns the indexes of the items of a part in its whole request, ascending. */
  indexesOf(number: number): readonly number[] {
    const part = this.#readTable().parts[number - 1];
    if (part === undefined) throw new Error(`a payload has no part ${number}`);
    return part.indexes;
  }

  #readTable(): PartTable {
    this.#table ??= JSON.parse(this.#bytes.toString('utf8', 4, this.#startOfText())) as PartTable;
    return this.#table;
  }

  #readText(): string {
    this.#text ??= decompress(this.#codec === 'parts' ? this.#bytes.subarray(this.#startOfText()) : this.#bytes);
    return this.#text;
  }

  #startOfText(): number {
    return 4 + this.#bytes.readUInt32LE(0);
  }
}

/** Returns the JSON text of a payload, which is an object. Anything else is compressed. */
function decompress(bytes: Buffer): string {
  if (bytes[0] === openingBrace) return bytes.toString();
  // The text of a usual payload fits in one buffer of this size. In another thread, this would take
  // several times as long, and the text takes longer to parse.
  return zstdDecompressSync(bytes, { chunkSize: Math.max(16_384, 10 * bytes.length) }).toString();
}
