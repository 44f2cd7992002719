/** A JSON Schema (draft 2020-12), keyword by keyword. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** A body of a request or an answer: its shape and its examples. */
export interface MediaType {
  schema: SchemaNode;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

/** One parameter of an operation, or a reference to a shared one. */
export type Parameter =
  | { name: string; in: string; required?: boolean; description?: string; schema: SchemaNode; example?: unknown }
  | { $ref: string };

/** One answer of an operation. */
export interface Answer {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, MediaType>;
}

/** One operation of the description. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, Answer>;
}

/** The parts of an OpenAPI 3.1 document that Roster writes and reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers: { url: string; description?: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, SchemaNode>;
    headers?: Record<string, object>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: Record<string, object>;
  };
}

/** Where the shared shapes are in a document. */
export const schemasPointer = '#/components/schemas/';

/** The shape that a reference of a document points to; other shapes are answered as they are. */
export function dereference(document: OpenApiDocument, schema: SchemaNode): SchemaNode {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const target = document.components.schemas[reference.slice(schemasPointer.length)];
  if (!reference.startsWith(schemasPointer) || target === undefined) throw new Error(`${reference} points to nothing`);
  return dereference(document, target);
}

/** Every operation of a document with its place. */
export function* operationsOf(
  document: OpenApiDocument,
): Generator<{ path: string; method: string; operation: DescribedOperation }> {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) yield { path, method, operation };
  }
}
