import type { Faults } from './faults.ts';
import { withHint, type Keywords } from './keywords.ts';

/** Maximum number of characters of an example in a message. */
const longestExample = 200;

/**
 * Adds a fault for a value of the wrong JSON type. The message has the expected type, the actual
 * type, and an example.
 *
 * `expected` is a noun with its article, such as `a string`. `keywords` supply the hint of the
 * shape.
 */
export function wrongType(
  faults: Faults,
  input: unknown,
  expected: string,
  example?: unknown,
  keywords: Keywords = {},
): undefined {
  const shown = example === undefined ? '' : JSON.stringify(example);
  const sample = shown === '' || shown.length > longestExample ? '' : `, for example ${shown}`;
  return faults.add('invalid_type', withHint(`must be ${expected}, not ${typeName(input)}${sample}`, keywords));
}

/** Returns the JSON type of a value, with its article. */
function typeName(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'an array';
  if (typeof input === 'number' && !Number.isInteger(input)) return 'a number with a fraction';
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`;
}
