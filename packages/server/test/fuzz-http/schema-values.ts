import { dereference, type OpenApiDocument, type SchemaNode } from '#platform/http/openapi/document.ts';
import type { Random } from '../crash/random.ts';

/** The schema keywords from which a value is generated. */
interface Keywords {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: SchemaNode;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
}

/** Returns a value that exists in the attacked accounts for a field name, or undefined. */
export type KnownValues = (field: string, random: Random) => unknown;

const maxDepth = 8;

/**
 * Generates a random value that fits a schema: all required properties, some optional ones, any
 * branch of a union.
 *
 * `known` returns values that exist (an identity, a list), so that some requests find something.
 */
export function valueOf(
  document: OpenApiDocument,
  shape: SchemaNode,
  random: Random,
  known: KnownValues,
  field = '',
  depth = 0,
): unknown {
  const schema: Keywords = dereference(document, shape);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return valueOf(document, random.pick(branches), random, known, field, depth);
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const existing = random.chance(0.7) ? known(field, random) : undefined;
  if (existing !== undefined) return existing;
  if (schema.examples !== undefined && schema.examples.length > 0 && random.chance(0.5))
    return random.pick(schema.examples);
  switch (typeof schema.type === 'string' ? schema.type : random.pick(schema.type ?? ['string'])) {
    case 'object':
      return objectOf(document, schema, random, known, depth);
    case 'array': {
      if (schema.items === undefined || depth > maxDepth) return [];
      const length = Math.max(schema.minItems ?? 0, random.integer(0, 3));
      return Array.from({ length }, () => valueOf(document, schema.items!, random, known, field, depth + 1));
    }
    case 'integer':
      return random.integer(Math.max(schema.minimum ?? 0, -1000), Math.min(schema.maximum ?? 100, 1000));
    case 'number':
      return random.integer(-1000, 1000) / 8;
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return textOf(schema.format, random);
  }
}

function objectOf(
  document: OpenApiDocument,
  schema: Keywords,
  random: Random,
  known: KnownValues,
  depth: number,
): object {
  const entries: [string, unknown][] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(name) === true || (depth <= maxDepth && random.chance(0.5));
    if (isWanted) entries.push([name, valueOf(document, property, random, known, name, depth + 1)]);
  }
  const { additionalProperties: others } = schema;
  if (typeof others === 'object' && others !== null && depth <= maxDepth) {
    for (let left = random.integer(0, 3); left > 0; left--) {
      const name = random.pick(['CITY', 'AGE', 'VIP', 'SINCE', 'BIO', 'FIRST_NAME', 'BIRTH_DATE', 'NEW_ONE']);
      entries.push([name, valueOf(document, others as SchemaNode, random, known, name, depth + 1)]);
    }
  }
  return Object.fromEntries(entries);
}

function textOf(format: string | undefined, random: Random): string {
  switch (format) {
    case 'email':
      return `person${random.integer(0, 60)}@example.com`;
    case 'uuid':
      return '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';
    case 'date-time':
      return new Date(
        Date.UTC(2026, random.integer(0, 11), random.integer(1, 28), random.integer(0, 23)),
      ).toISOString();
    case 'uri':
      return 'https://receiver.test/hook';
    default:
      return random.pick(['Pune', 'a text', 'Á b', '1', 'true', '2026-01-31', 'x'.repeat(random.integer(1, 300))]);
  }
}
