import { nearestName } from '../text/nearest-name.ts';
import type { Faults } from './faults.ts';
import { withHint, type Keywords, type Reader } from './keywords.ts';
import { checkPlainName } from '../text/plain-name.ts';
import { checkStorable, fromIntegerText, isLongerThan } from '../text/text.ts';
import { wrongType } from './wrong-type.ts';

/** Makes the reader of a string. */
export function stringReader(node: Keywords): Reader<string | undefined> {
  const pattern = node.pattern === undefined ? undefined : new RegExp(node.pattern, 'u');
  const min = node.minLength ?? 0;
  const max = node.maxLength ?? Number.POSITIVE_INFINITY;
  const example = node.examples?.[0];
  const misformed = typeof example !== 'string' ? `must match ${node.pattern}` : `must have the form of ${example}`;
  return (input, faults) => {
    if (typeof input !== 'string') return wrongType(faults, input, 'a string', example);
    const text = node['x-keep-space'] === true ? input : input.trim();
    if (text === '' && min > 0) return faults.add('required', 'must not be blank');
    if (text.length < min) return faults.add('too_short', `must have at least ${min} characters`);
    if (isLongerThan(text, max)) return faults.add('too_long', `must have at most ${max} characters`);
    if (!checkStorable(text, faults)) return undefined;
    if (node['x-plain-name'] === true && !checkPlainName(text, faults)) return undefined;
    if (pattern !== undefined && !pattern.test(text)) return faults.add('invalid_format', misformed);
    return text;
  };
}

/** Makes the reader of a number, or of an enum of integers. It accepts an integer as text. */
export function numberReader(node: Keywords, integer: boolean): Reader<number | undefined> {
  const min = node.minimum ?? (integer ? Number.MIN_SAFE_INTEGER : -Number.MAX_VALUE);
  const max = node.maximum ?? (integer ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE);
  const what = integer ? 'an integer' : 'a number';
  const example = node.examples?.[0] ?? Math.max(min, 1);
  return (input, faults) => {
    const number = fromIntegerText(input);
    if (typeof number !== 'number' || Number.isNaN(number)) return wrongType(faults, input, what, example, node);
    if (number < min || number > max) return faults.add('out_of_range', `must be ${what} from ${min} to ${max}`);
    if (integer && !Number.isInteger(number)) return wrongType(faults, input, what, example);
    if (node.enum !== undefined && !node.enum.includes(number)) {
      return faults.add('unknown_value', `must be one of ${node.enum.join(', ')}`);
    }
    return number;
  };
}

/** Reads a boolean. It accepts `true` and `false` as text. */
export function readBoolean(input: unknown, faults: Faults): boolean | undefined {
  if (typeof input === 'boolean') return input;
  const word = typeof input === 'string' ? input.trim().toLowerCase() : undefined;
  if (word === 'true') return true;
  if (word === 'false') return false;
  return wrongType(faults, input, 'true or false');
}

/** Reads null. */
export function readNull(input: unknown, faults: Faults): null | undefined {
  return input === null ? null : wrongType(faults, input, 'null');
}

/** Makes the reader of an enum. It accepts its words in any letter case. */
export function enumReader(node: Keywords, words: readonly unknown[]): Reader<unknown> {
  const byLower = new Map(words.map((word) => [String(word).toLowerCase(), word]));
  const expected = words.length === 1 ? `must be "${String(words[0])}"` : `must be one of ${words.join(', ')}`;
  const message = withHint(expected, node);
  return (input, faults) => {
    if (typeof input !== 'string') return wrongType(faults, input, expected.slice('must be '.length));
    const word = byLower.get(input.trim().toLowerCase());
    if (word !== undefined) return word;
    const nearest = faults.full || words.length === 1 ? undefined : nearestName(input, byLower.keys());
    return faults.add('unknown_value', nearest === undefined ? message : `${message}. Did you mean ${nearest}?`);
  };
}
