import { Faults, shownKey } from '@roster/contract';
import type { TSchema } from 'typebox';

const code = { quote: 0x22, comma: 0x2c, colon: 0x3a, openArray: 0x5b, backslash: 0x5c, closeArray: 0x5d } as const;
const openObject = 0x7b;
const closeObject = 0x7d;

// No shape of the contract is nested as deep; below, nothing is read and so nothing can be meant twice.
const deepest = 16;

/** An array or object that is open at a place of the text. */
interface Open {
  /** Keys of the object so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** The key or the index that the place is in. */
  at: string | number;
}

// As many faults as an answer has.
const most = new Faults().limit;

/**
 * The paths of keys that an object of a JSON text has a second time, in order; no more than an answer can tell.
 *
 * JSON.parse keeps the last of them in silence (RFC 8259 lets it), and a filter would be dropped with the first. `text` must be valid JSON.
 * One pass over the text, without recursion and with memory for a few levels only, whatever the text is.
 */
export function repeatedKeys(text: string): string[] {
  const found: string[] = [];
  const open: Open[] = [];
  let depth = 0;
  let keyFrom = -1;
  let keyTo = -1;
  for (let at = 0; at < text.length; at++) {
    const inner = depth <= deepest ? open[depth - 1] : undefined;
    switch (text.charCodeAt(at)) {
      case code.quote:
        keyFrom = at;
        at = keyTo = endOfString(text, at);
        break;
      case code.colon:
        if (inner?.keys !== undefined) {
          const key = keyOf(text, keyFrom, keyTo);
          inner.at = key;
          if (inner.keys.has(key) && found.push(pathOf(open)) === most) return found;
          inner.keys.add(key);
        }
        break;
      case code.comma:
        if (typeof inner?.at === 'number') inner.at++;
        break;
      case openObject:
        if (++depth <= deepest) open.push({ keys: new Set(), at: '' });
        break;
      case code.openArray:
        if (++depth <= deepest) open.push({ keys: undefined, at: 0 });
        break;
      case closeObject:
      case code.closeArray:
        if (depth-- <= deepest) open.pop();
        break;
      default:
    }
  }
  return found;
}

/** The key between two quotes; few have escapes. */
function keyOf(text: string, from: number, to: number): string {
  const key = text.slice(from + 1, to);
  return key.includes('\\') ? (JSON.parse(text.slice(from, to + 1)) as string) : key;
}

/** The place of the quote that ends the string which begins at `start`. */
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

/** True for the shapes in which a key that is given twice is refused, because dropping one of the two values could widen what is meant. */
export function refusesRepeatedKeys(shape: TSchema): boolean {
  return (shape as { 'x-refuse-repeats'?: boolean })['x-refuse-repeats'] === true;
}

/** Adds a fault for each key that is given twice. */
export function addRepeatedKeys(paths: readonly string[], faults: Faults): void {
  for (const path of paths) {
    faults.add('duplicate', 'is given twice in the same object. Leave one of them out', path);
  }
}
