import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  type Answer,
  json,
  type OpenApiDocument,
  operationsOf,
  type Reference,
  type SchemaNode,
} from '#platform/http/openapi/document.ts';

/** An answer of the service. */
interface ActualAnswer {
  readonly method: string;
  /** Path with or without a query. */
  readonly path: string;
  readonly status: number;
  /** The parsed body. Undefined or blank if the answer has no body. */
  readonly body: unknown;
}

/**
 * Checks an answer against the OpenAPI document. Throws an Error that says what does not conform.
 */
export type Conformance = (answer: ActualAnswer) => void;

/**
 * Creates the check of answers against an OpenAPI document.
 *
 * The check is stricter than the document: fields that the document does not describe are not
 * allowed, because answers have exactly one shape.
 */
export function conformanceTo(document: OpenApiDocument): Conformance {
  const validatorOf = schemaValidators(document, closed);
  const operations = [...operationsOf(document)].map((place) => ({ ...place, pattern: pathPattern(place.path) }));
  return ({ method, path, status, body }) => {
    const place = `${method} ${path} → ${status}`;
    const pathname = path.split('?', 1)[0]!;
    const found = operations.find(
      (candidate) => candidate.method === method.toLowerCase() && candidate.pattern.test(pathname),
    );
    if (found === undefined) throw new Error(`${place}: the operation is not described`);
    const described = found.operation.responses[status];
    if (described === undefined) throw new Error(`${place}: the status is not described`);
    const { content = {} } = answerOf(document, described);
    const schema = content[json]?.schema;
    // The answer is a file.
    if (schema === undefined && Object.keys(content).length > 0) return;
    if (schema === undefined) {
      if (body !== undefined && body !== '') throw new Error(`${place}: there should be no body`);
      return;
    }
    const validate = validatorOf(schema);
    if (!validate(body)) throw new Error(`${place}: ${explain(validate)}\n${JSON.stringify(body, undefined, 2)}`);
  };
}

/** Returns the described answer, and follows a reference to a shared answer. */
export function answerOf(document: OpenApiDocument, answer: Answer | Reference): Answer {
  if (!('$ref' in answer)) return answer;
  const shared = document.components.responses?.[answer.$ref.slice('#/components/responses/'.length)];
  if (shared === undefined) throw new Error(`${answer.$ref} points to nothing`);
  return shared;
}

/** Creates validators for the schemas of a document. `prepare` may change every schema first. */
export function schemaValidators(
  document: OpenApiDocument,
  prepare: (schema: SchemaNode) => SchemaNode = (schema) => schema,
): (schema: SchemaNode) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true });
  addFormats.default(ajv);
  // Schemas refer to each other by their path in the document, so ajv gets them at the same paths.
  const root = 'https://roster.invalid/openapi.json';
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, prepare(schema)]),
  );
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: root, components: { schemas } });
  const cache = new WeakMap<SchemaNode, ValidateFunction>();
  return (schema) => {
    let validate = cache.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(absolute(prepare(schema), root) as SchemaNode);
      cache.set(schema, validate);
    }
    return validate;
  };
}

/** Returns the errors of a validator in one line. */
export function explain({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

function absolute(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((item) => absolute(item, root));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? `${root}${inner}` : absolute(inner, root),
    ]),
  );
}

/** Returns the schema with `additionalProperties: false` in all objects that do not set it. */
function closed(schema: SchemaNode): SchemaNode {
  return close(schema) as SchemaNode;
}

function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, close(part)]));
  const open = inner['type'] === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return open ? { ...inner, additionalProperties: false } : inner;
}

/**
 * Returns a pattern for a path. The V5 operations are also served without their version in the
 * path.
 */
function pathPattern(path: string): RegExp {
  const pattern = path.replace(/^\/v5\//, '/(?:v5/)?').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
}
