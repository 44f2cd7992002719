import type { TSchema } from 'typebox';
import type { Keywords } from './keywords.ts';

/**
 * Returns an example of a shape for messages, made from the examples of its parts. An object shows
 * its required fields, or the first field that has an example. Returns undefined if there is no
 * example.
 */
export function sampleOf(shape: TSchema | Keywords): unknown {
  const {
    examples,
    enum: words,
    const: word,
    anyOf,
    type,
    items,
    minimum,
    properties = {},
    required = [],
  } = shape as Keywords;
  if (examples !== undefined) return examples[0];
  if (words !== undefined) return words[0];
  if (word !== undefined) return word;
  if (anyOf !== undefined) return sampleOf(anyOf[0]!);
  switch (type) {
    case 'integer':
    case 'number':
      return minimum ?? 1;
    case 'boolean':
      return true;
    case 'array': {
      const item = items === undefined ? undefined : sampleOf(items);
      return item === undefined ? undefined : [item];
    }
    case 'object': {
      const fields = Object.entries(properties).flatMap(([name, field]) => {
        const sample = sampleOf(field);
        return sample === undefined ? [] : [[name, sample] as const];
      });
      const needed = fields.filter(([name]) => required.includes(name));
      // A word of an enum, such as `and`, is not a helpful example.
      const helpful = fields.filter(([name]) => (properties[name] as Keywords).enum === undefined);
      const shown = needed.length > 0 ? needed : helpful.slice(0, 1);
      return shown.length === 0 ? undefined : Object.fromEntries(shown);
    }
    default:
      return undefined;
  }
}
