import { dereference, type OpenApiDocument, type SchemaNode } from './document.ts';

/** Moments and identifiers of examples: always the same, so that the description is the same on every machine. */
export const sampleMoment = '2026-01-31T09:00:00.000Z';
export const sampleRequestId = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';

/** Makes a value of a shape, from its examples where it has some and from its keywords where not. */
export function sampleOf(document: OpenApiDocument, shape: SchemaNode): unknown {
  const schema = dereference(document, shape) as {
    readonly examples?: readonly unknown[];
    readonly const?: unknown;
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
    readonly anyOf?: readonly SchemaNode[];
    readonly type?: string | readonly string[];
    readonly properties?: Readonly<Record<string, SchemaNode>>;
    readonly items?: SchemaNode;
    readonly format?: string;
    readonly minimum?: number;
  };
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (schema.anyOf !== undefined) {
    const branch = schema.anyOf.find((candidate) => candidate['type'] !== 'null') ?? schema.anyOf[0]!;
    return sampleOf(document, branch);
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sampleOf(document, property)]),
      );
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(document, schema.items)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return sampleText(schema.format);
  }
}

function sampleText(format: string | undefined): string {
  if (format === 'date-time') return sampleMoment;
  return format === 'uuid' ? sampleRequestId : 'text';
}
