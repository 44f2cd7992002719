/** The media type of every body. */
export const json = 'application/json';

/** A JSON Schema (draft 2020-12), keyword by keyword. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** The body of a request or response: its shape and examples. */
export interface MediaType {
  schema: SchemaNode;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

/** A reference to another part of the document. */
export interface Reference {
  $ref: string;
}

/** One parameter of an operation. */
export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: SchemaNode;
  example?: string | number | boolean;
}

/** One response of an operation. */
export interface Answer {
  description: string;
  headers?: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

/** One operation of the description. */
export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; description?: string; content: Record<string, MediaType> };
  responses: Record<string, Answer | Reference>;
  /** By name, then by address, then by method. */
  callbacks?: Record<string, Record<string, Record<string, object>>>;
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
    responses?: Record<string, Answer>;
    headers?: Record<string, object>;
    parameters?: Record<string, Parameter>;
    securitySchemes?: Record<string, object>;
  };
}

const schemasPointer = '#/components/schemas/';

/** Returns the shape that a reference points to, or the shape itself if it is not a reference. */
export function dereference(document: OpenApiDocument, schema: SchemaNode): SchemaNode {
  const pointer = schema['$ref'];
  if (typeof pointer !== 'string') return schema;
  const target = document.components.schemas[pointer.slice(schemasPointer.length)];
  if (!pointer.startsWith(schemasPointer) || target === undefined) throw new Error(`${pointer} does not exist`);
  return dereference(document, target);
}

/** Returns every operation of a document with its path and method. */
export function* operationsOf(
  document: OpenApiDocument,
): Generator<{ path: string; method: string; operation: DescribedOperation }> {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) yield { path, method, operation };
  }
}
