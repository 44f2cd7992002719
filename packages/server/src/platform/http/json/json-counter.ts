import type { BodyLimits } from '@roster/contract';

/** The limit that a body exceeds. */
export type Excess = 'values' | 'keys' | 'depth';

const quote = 0x22;
const comma = 0x2c;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const lineFeed = 0x0a;

// Random in each process, so that no one can send keys that are made to have equal hashes.
const seed = Math.floor(Math.random() * 0x7fffffff);

/**
 * Counts values, different keys and depth of a JSON text while its bytes arrive. It reads each byte
 * once and needs little memory.
 *
 * It does not check the syntax. It may count invalid JSON wrongly, but the parser then refuses the
 * text.
 */
export class JsonCounter {
  /** Number of values: one, and one for each comma and bracket. Empty brackets count twice. */
  values = 1;
  readonly #limits: BodyLimits;
  readonly #isLines: boolean;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** True if the current string is a key, or the next string will be one. */
  #isKey = false;
  #hash = 0;
  readonly #keys = new Set<number>();
  /** For each level: 1 for an object, 0 for an array. */
  readonly #isObject: Uint8Array;

  /** With `isLines`, each line is a JSON text. A faulty line does not affect the next one. */
  constructor(limits: BodyLimits, isLines = false) {
    this.#limits = limits;
    this.#isLines = isLines;
    this.#isObject = new Uint8Array(limits.depth + 1);
  }

  /** Counts more bytes; returns the limit that is exceeded, or undefined. */
  add(bytes: Uint8Array): Excess | undefined {
    const limits = this.#limits;
    let { values } = this;
    let depth = this.#depth;
    let isInString = this.#isInString;
    let isKey = this.#isKey;
    let hash = this.#hash;
    let at = 0;
    if (this.#isEscaped && bytes.length > 0) {
      this.#isEscaped = false;
      at = 1;
    }
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (isInString) {
        if (byte === quote) {
          isInString = false;
          if (isKey) {
            this.#keys.add(hash);
            isKey = false;
            if (this.#keys.size > limits.keys) return 'keys';
          }
        } else if (byte === backslash) {
          // The next byte belongs to the string, whatever it is.
          at++;
          if (at === bytes.length) this.#isEscaped = true;
          else if (isKey) hash = (Math.imul(hash, 31) + bytes[at]!) & 0x3fffffff;
        } else if (byte === lineFeed && this.#isLines) {
          isInString = false;
          depth = 0;
        } else if (isKey) hash = (Math.imul(hash, 0x01000193) ^ byte) & 0x3fffffff;
        continue;
      }
      switch (byte) {
        case quote:
          isInString = true;
          hash = seed;
          break;
        case comma:
          values++;
          isKey = this.#isObject[depth] === 1;
          break;
        case openObject:
        case openArray:
          values++;
          if (++depth > limits.depth) return 'depth';
          isKey = byte === openObject;
          this.#isObject[depth] = isKey ? 1 : 0;
          break;
        case closeObject:
        case closeArray:
          if (depth > 0) depth--;
          isKey = false;
          break;
        case lineFeed:
          if (this.#isLines) {
            values++;
            depth = 0;
          }
          break;
        default:
      }
    }
    this.values = values;
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isKey = isKey;
    this.#hash = hash;
    return values > limits.values ? 'values' : undefined;
  }
}
