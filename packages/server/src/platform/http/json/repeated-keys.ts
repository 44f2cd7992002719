import { Faults, shownKey } from '@roster/contract';
import type { TSchema } from 'typebox';

const code = { quote: 0x22, comma: 0x2c, colon: 0x3a, openArray: 0x5b, backslash: 0x5c, closeArray: 0x5d } as const;
const openObject = 0x7b;
const closeObject = 0x7d;

// Deeper levels are not checked. No shape is nested as deeply, so their values are never read.
const maxDepth = 16;

/** An array or object that is open at the current character. */
interface Open {
  /** The keys of the object so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** The current key or index. */
  at: string | number;
}

// The maximum number of faults in a response.
const maxFound = new Faults().limit;

/**
 * Returns the paths of the keys that occur a second time in their object, in order. Returns at most
 * as many as one response lists.
 *
 * JSON.parse keeps only the last value of a repeated key (RFC 8259 allows it). So the first value,
 * such as a filter, would be dropped silently. `text` must be valid JSON. It is read once, without
 * recursion, and with memory for a few levels only.
 */
export function repeatedKeys(text: string): string[] {
  const found: string[] = [];
  const open: Open[] = [];
  let depth = 0;
  let keyFrom = -1;
  let keyTo = -1;
  for (let at = 0; at < text.length; at++) {
    const inner = depth <= maxDepth ? open[depth - 1] : undefined;
    switch (text.charCodeAt(at)) {
      case code.quote:
        keyFrom = at;
        at = keyTo = endOfString(text, at);
        break;
      case code.colon:
        if (inner?.keys !== undefined) {
          const key = keyOf(text, keyFrom, keyTo);
          inner.at = key;
          if (inner.keys.has(key) && found.push(pathOf(open)) === maxFound) return found;
          inner.keys.add(key);
        }
        break;
      case code.comma:
        if (typeof inner?.at === 'number') inner.at++;
        break;
      case openObject:
        if (++depth <= maxDepth) open.push({ keys: new Set(), at: '' });
        break;
      case code.openArray:
        if (++depth <= maxDepth) open.push({ keys: undefined, at: 0 });
        break;
      case closeObject:
      case code.closeArray:
        if (depth-- <= maxDepth) open.pop();
        break;
      default:
    }
  }
  return found;
}

/** Returns the key between two quotes. Few keys have escapes. */
function keyOf(text: string, from: number, to: number): string {
  const key = text.slice(from + 1, to);
  return key.includes('\\') ? (JSON.parse(text.slice(from, to + 1)) as string) : key;
}

/** Returns the index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const unit = text.charCodeAt(at);
    if (unit === code.quote) return at;
    if (unit === code.backslash) at++;
  }
}

function pathOf(open: readonly Open[]): string {
  return open
    .map(({ at }) => (typeof at === 'number' ? `[${at}]` : `.${shownKey(at)}`))
    .join('')
    .replace(/^\./, '');
}

/** True for a shape that refuses repeated keys, because a dropped value could do harm. */
export function refusesRepeatedKeys(shape: TSchema): boolean {
  return (shape as { 'x-refuse-repeats'?: boolean })['x-refuse-repeats'] === true;
}

/** Adds a fault for each repeated key. */
export function addRepeatedKeys(paths: readonly string[], faults: Faults): void {
  for (const path of paths) {
    faults.add('duplicate', 'is given twice in the same object. Leave one of them out', path);
  }
}
