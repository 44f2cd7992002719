import { exampleMoment, exampleRequestId } from '@roster/contract';
import { dereference, type OpenApiDocument, type SchemaNode } from './document.ts';

/** The keywords of a shape that its example is made from. */
interface Keywords {
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
}

/**
 * Makes the example of a shape: the one that stands on it, or else one made of the examples of its
 * parts.
 *
 * Throws when a part has no example and nothing that implies one, such as a list of words or a
 * format. `place` is the path of the part.
 */
export function exampleOf(document: OpenApiDocument, shape: SchemaNode, place: string): unknown {
  const schema: Keywords = dereference(document, shape);
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if ('default' in schema) return schema.default;
  if (schema.anyOf?.some(({ type }) => type === 'null') === true) return null;
  if (schema.anyOf !== undefined) return exampleOf(document, schema.anyOf[0]!, place);
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(document, part, `${place}.${name}`)]),
    );
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return [exampleOf(document, schema.items!, `${place}[]`)];
    case 'integer':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      break;
  }
  if (schema.format === 'date-time') return exampleMoment;
  if (schema.format === 'uuid') return exampleRequestId;
  throw new Error(`${place} has no example. Give its shape one (packages/contract/src/shapes).`);
}
