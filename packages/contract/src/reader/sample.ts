import type { TSchema } from 'typebox';
import type { Keywords } from './keywords.ts';

/**
 * An example of a shape for messages, made of the examples of its parts: an object has its required fields, or else the first field that has
 * an example. Undefined when there is nothing to show.
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
      // A word such as `and` says little by itself.
      const telling = fields.filter(([name]) => (properties[name] as Keywords).enum === undefined);
      const shown = needed.length > 0 ? needed : telling.slice(0, 1);
      return shown.length === 0 ? undefined : Object.fromEntries(shown);
    }
    default:
      return undefined;
  }
}
