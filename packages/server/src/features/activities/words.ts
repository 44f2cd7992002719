interface Word<T> {
  readonly bytes: Buffer;
  readonly value: T;
}

/** Finds words of ASCII among a few that are known, by their bytes. */
export class Words<T extends string> {
  readonly #words = new Map<number, Word<T>>();

  /** Throws when two words have the same length, first and last character. */
  constructor(words: readonly T[]) {
    for (const value of words) {
      const bytes = Buffer.from(value);
      const name = nameOf(bytes, 0, bytes.length);
      if (this.#words.has(name)) throw new Error(`${value} looks like ${this.#words.get(name)!.value}`);
      this.#words.set(name, { bytes, value });
    }
  }

  /** The word between two places; undefined for another one. */
  find(bytes: Buffer, begin: number, end: number): T | undefined {
    const word = this.#words.get(nameOf(bytes, begin, end));
    if (word === undefined) return undefined;
    const known = word.bytes;
    for (let at = 0; at < known.length; at++) if (bytes[begin + at] !== known[at]) return undefined;
    return word.value;
  }
}

function nameOf(bytes: Buffer, begin: number, end: number): number {
  return ((end - begin) << 16) | (bytes[begin]! << 8) | bytes[end - 1]!;
}
