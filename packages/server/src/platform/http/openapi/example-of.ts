import { exampleMoment, exampleRequestId } from '@roster/contract';
import { dereference, type OpenApiDocument, type SchemaNode } from './document.ts';

/** The keywords of a shape that matter for its example. */
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
 * Returns the example of a shape, or builds an example from those of its parts.
 *
 * Throws when a part has no example and no keyword that implies one, such as an enum or a format.
 * `place` is the path of the part.
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
  throw new Error(`${place} has no example. Add one to its shape (packages/contract/src/shapes).`);
}
