import { markup, type Markup } from '#platform/text/markup.ts';
import { dereference, type OpenApiDocument, type SchemaNode } from '../../openapi/document.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import { resolveOutside } from './resolve-outside.ts';

/** Levels of fields inside fields. A shape that contains itself ends here, too. */
const deepest = 8;

/** Renders the fields of an object, and in turn the fields inside them. */
export function fieldsView(document: OpenApiDocument, schema: SchemaNode, depth = 0): Markup {
  const shape = dereference(document, schema);
  const required = (shape['required'] ?? []) as readonly string[];
  const properties = Object.entries((shape['properties'] ?? {}) as Record<string, SchemaNode>);
  const items = properties.map(([name, field]) => fieldView(document, { name, field, depth }, required.includes(name)));
  return markup`<ul class="fields">${items}</ul>\n`;
}

interface Field {
  readonly name: string;
  readonly field: SchemaNode;
  readonly depth: number;
}

function fieldView(document: OpenApiDocument, { name, field, depth }: Field, isRequired: boolean): Markup {
  const shape = dereference(document, field);
  const inner = depth < deepest ? objectsIn(document, shape) : [];
  const nested = inner.map(
    (object) =>
      markup`<details><summary>Fields of <code>${name}</code></summary>${fieldsView(document, object, depth + 1)}</details>`,
  );
  const mark = isRequired ? markup` <span class="required">required</span>` : markup``;
  return markup`<li><p><code>${name}</code> <span class="type">${typeOf(document, shape)}</span>${mark}</p>${factsView(shape)}${nested}</li>\n`;
}

/** Renders the description and the limits of a value. */
export function factsView(shape: SchemaNode): Markup {
  const description = (shape['description'] as string | undefined) ?? '';
  const limits = limitsOf(shape);
  const facts = limits.length === 0 ? markup`` : markup`<p class="limits">${limits.join(' · ')}</p>`;
  return markup`${renderMarkdown(description, { resolve: resolveOutside })}${facts}`;
}

/** Returns the type of a value in words, such as `array of text` or `number or null`. */
export function typeOf(document: OpenApiDocument, schema: SchemaNode): string {
  const shape = dereference(document, schema);
  if ('const' in shape) return JSON.stringify(shape['const']);
  const { anyOf, type, items } = shape as { anyOf?: SchemaNode[]; type?: string | string[]; items?: SchemaNode };
  if (anyOf !== undefined) return [...new Set(anyOf.map((one) => typeOf(document, one)))].join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(document, items)}`;
  return type ?? (shape['enum'] === undefined ? 'any value' : 'string');
}

/** Returns the objects in a shape whose fields a reader wants to see: itself, its items or its variants. */
function objectsIn(document: OpenApiDocument, schema: SchemaNode): SchemaNode[] {
  const shape = dereference(document, schema);
  const { anyOf, items, properties } = shape as { anyOf?: SchemaNode[]; items?: SchemaNode; properties?: object };
  if (properties !== undefined) return Object.keys(properties).length === 0 ? [] : [shape];
  if (items !== undefined) return objectsIn(document, items);
  return (anyOf ?? []).flatMap((one) => objectsIn(document, one));
}

/** Returns the limits of a value in words. */
function limitsOf(shape: SchemaNode): string[] {
  const values = (shape['enum'] as unknown[] | undefined)?.map((value) => JSON.stringify(value)).join(', ');
  return [
    ...(values === undefined ? [] : [`one of ${values}`]),
    ...range(shape, 'minLength', 'maxLength', ' characters'),
    ...range(shape, 'minItems', 'maxItems', ' items'),
    ...range(shape, 'minimum', 'maximum', ''),
    ...('pattern' in shape ? [`matches ${String(shape['pattern'])}`] : []),
    ...('default' in shape ? [`default ${JSON.stringify(shape['default'])}`] : []),
  ];
}

function range(shape: SchemaNode, low: string, high: string, unit: string): string[] {
  const [from, to] = [shape[low], shape[high]].map((limit) =>
    typeof limit === 'number' ? limit.toLocaleString('en-US') : undefined,
  );
  if (to === undefined) return from === undefined || from === '0' ? [] : [`at least ${from}${unit}`];
  return [from === undefined || from === '0' ? `up to ${to}${unit}` : `${from} to ${to}${unit}`];
}
