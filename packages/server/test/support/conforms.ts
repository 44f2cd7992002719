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

/** An answer that was really given. */
interface ActualAnswer {
  readonly method: string;
  /** Path with or without a query. */
  readonly path: string;
  readonly status: number;
  /** The parsed body; undefined or blank when there was none. */
  readonly body: unknown;
}

/** Checks an answer against the description; throws an Error that says what does not conform. */
export type Conformance = (answer: ActualAnswer) => void;

/**
 * Makes the check of answers against an OpenAPI document.
 *
 * Stricter than the document itself: a field that is not described does not conform either, because answers have exactly one shape
 * (decisions, golden rule 1).
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
    // A file.
    if (schema === undefined && Object.keys(content).length > 0) return;
    if (schema === undefined) {
      if (body !== undefined && body !== '') throw new Error(`${place}: there should be no body`);
      return;
    }
    const validate = validatorOf(schema);
    if (!validate(body)) throw new Error(`${place}: ${explain(validate)}\n${JSON.stringify(body, undefined, 2)}`);
  };
}

/** The answer that a document describes, also when the answer is shared and stands there as a reference. */
export function answerOf(document: OpenApiDocument, answer: Answer | Reference): Answer {
  if (!('$ref' in answer)) return answer;
  const shared = document.components.responses?.[answer.$ref.slice('#/components/responses/'.length)];
  if (shared === undefined) throw new Error(`${answer.$ref} points to nothing`);
  return shared;
}

/** Makes validators of the shapes of a document; `prepare` may change every shape first. */
export function schemaValidators(
  document: OpenApiDocument,
  prepare: (schema: SchemaNode) => SchemaNode = (schema) => schema,
): (schema: SchemaNode) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true });
  addFormats.default(ajv);
  // Shapes refer to each other by their place in the document, so they are given to ajv in the same places.
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

/** What a validator found, in one line. */
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

/** The shape without room for fields that it does not name. */
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

/** Every path of the contact operations is served without its version segment too. */
function pathPattern(path: string): RegExp {
  const pattern = path.replace(/^\/v5\//, '/(?:v5/)?').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}/?$`);
}
