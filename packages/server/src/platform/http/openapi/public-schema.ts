import { systemAttributeNames } from '@roster/contract';
import type { SchemaNode } from './document.ts';

/**
 * JSON Schema keywords for the formats that only Roster's readers know. If a reader accepts more (a
 * number as text, spaces around a value), the description of the field says so.
 */
const ownFormats: Readonly<Record<string, SchemaNode>> = {
  identity: { minLength: 1, maxLength: 255 },
  'record-id': { minLength: 1, maxLength: 255 },
  'day-digits': { pattern: String.raw`^\d{8}$` },
  mobile: { pattern: String.raw`^\+?(?:[0-9][ \-]*){6,15}$` },
  'attribute-value': { maxLength: 65_536 },
  'condition-value': { maxLength: 65_536 },
  'time-zone': {},
  'attribute-name': {},
  'attribute-mention': { minLength: 1, maxLength: 255 },
  'attribute-reference': {},
  'system-attribute': { enum: [...systemAttributeNames] },
  delimiter: {},
  'json-object': { additionalProperties: true },
};

// The values of these keywords are data, so keys in them are not keywords.
const dataKeywords = new Set(['examples', 'example', 'default', 'const', 'enum', 'required']);
// The values of these keywords are shapes by name.
const mapKeywords = new Set(['properties', 'patternProperties']);

/**
 * Returns a shape as it is published. It lacks the keywords and formats that only Roster's readers
 * know, and the properties that exist only to be refused (`x-unpublished`).
 */
export function publicSchema(schema: SchemaNode): SchemaNode {
  const published: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-')) continue;
    const own = keyword === 'format' && typeof value === 'string' ? ownFormats[value] : undefined;
    if (own !== undefined) Object.assign(published, own);
    else if (dataKeywords.has(keyword)) published[keyword] = value;
    else if (mapKeywords.has(keyword)) published[keyword] = mapValues(value as Readonly<Record<string, SchemaNode>>);
    else published[keyword] = publicValue(value);
  }
  // Client generators need the type of an enum, too.
  if (isWords(published['enum']) && published['type'] === undefined) return { type: 'string', ...published };
  return published;
}

function isWords(value: unknown): boolean {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function mapValues(shapes: Readonly<Record<string, SchemaNode>>): Record<string, SchemaNode> {
  const published = Object.entries(shapes).filter(([, shape]) => shape['x-unpublished'] !== true);
  return Object.fromEntries(published.map(([name, shape]) => [name, publicSchema(shape)]));
}

function publicValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publicValue);
  return typeof value === 'object' && value !== null ? publicSchema(value as SchemaNode) : value;
}
