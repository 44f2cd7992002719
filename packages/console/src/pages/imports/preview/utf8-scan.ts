/** What is known about a text in UTF-8. */
export interface Utf8Findings {
  /** The line of the first bytes that are not valid UTF-8, from 1; undefined if all are valid. */
  readonly badLine: number | undefined;
  /** The text has characters of several bytes, which hardly occur in a text of another encoding. */
  readonly hasCharacters: boolean;
}

/** Checks a text in UTF-8, chunk by chunk. Lines end with a line feed, as the service counts them. */
export class Utf8Scan {
  #line = 1;
  #badLine: number | undefined;
  #hasCharacters = false;
  /** Bytes that the character still needs, and the range of the next one. */
  #missing = 0;
  #low = 0x80;
  #high = 0xbf;

  /** Whether nothing more can be found. */
  get isDone(): boolean {
    return this.#badLine !== undefined && this.#hasCharacters;
  }

  /** Reads the next bytes of the text. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#missing > 0) {
        if (byte >= this.#low && byte <= this.#high) {
          [this.#low, this.#high] = [0x80, 0xbf];
          if (--this.#missing === 0) this.#hasCharacters = true;
          continue;
        }
        // This byte can begin the next character.
        this.#fault();
      }
      if (byte === 10) this.#line++;
      else if (byte >= 0x80) this.#begin(byte);
    }
  }

  /** Says what was found. `isEnd`: the text ends here, so an incomplete character is a fault. */
  findings(isEnd: boolean): Utf8Findings {
    if (isEnd && this.#missing > 0) this.#fault();
    return { badLine: this.#badLine, hasCharacters: this.#hasCharacters };
  }

  #begin(byte: number): void {
    this.#missing =
      byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0;
    if (this.#missing === 0) this.#fault();
    // Longer forms of a character, halves of surrogate pairs, and numbers after the last character.
    this.#low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    this.#high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
  }

  #fault(): void {
    this.#badLine ??= this.#line;
    this.#missing = 0;
  }
}
