import {
  errorsOf,
  generations,
  operationTable,
  paramsOf,
  type Examples,
  type Operation,
  type OperationId,
} from '@roster/contract/operations';
import type { TObject } from 'typebox';
import { rulesOf } from '../operations/generation-rules.ts';
import {
  type Answer,
  type DescribedOperation,
  json,
  type MediaType,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  type Reference,
  type SchemaNode,
} from './document.ts';
import { describeCallback } from './callbacks.ts';
import { errorExamples } from './error-examples.ts';
import { publicSchema } from './public-schema.ts';
import { exampleOf } from './example-of.ts';
import { shareErrorAnswers } from './shared-answers.ts';
import {
  commonHeaders,
  errorHeaders,
  idempotencyKeyParameter,
  ifMatchParameter,
  preferParameter,
  rateLimitHeaders,
  sharedHeaders,
  type SharedHeader,
} from './shared-parts.ts';

/** Completes the document of @fastify/swagger: adds examples, errors and headers. */
export function finishDocument(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = publicSchema(schema);
  document.components.headers = { ...sharedHeaders };
  document.components.parameters = {
    IdempotencyKey: idempotencyKeyParameter,
    IfMatch: ifMatchParameter,
    Prefer: preferParameter,
  };
  for (const { path, operation: described } of operationsOf(document)) {
    for (const schema of shapesOf(described)) schema.schema = publicSchema(schema.schema);
    const operation = operationTable[described.operationId as OperationId];
    describeOperation(document, described, operation);
    describeErrors(described, operation, allowOf(document, path));
  }
  document.paths = inOrderOfTable(document.paths);
  shareErrorAnswers(document);
  dropUnusedShapes(document);
  return document;
}

/** Sorts paths like the operation table, because the order of features does not help readers. */
function inOrderOfTable(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  const ids = Object.keys(operationTable) as OperationId[];
  const order = Object.keys(generations).flatMap((name) => ids.filter((id) => operationTable[id].generation === name));
  const placeOf = ({ operationId }: DescribedOperation) => order.indexOf(operationId as OperationId);
  const sorted = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).sort(([, a], [, b]) => placeOf(a) - placeOf(b));
    return { path, operations, place: placeOf(operations[0]![1]) };
  });
  sorted.sort((a, b) => a.place - b.place);
  return Object.fromEntries(sorted.map(({ path, operations }) => [path, Object.fromEntries(operations)]));
}

/** Removes the shapes that are used only within other shapes, which contain them already. */
function dropUnusedShapes(document: OpenApiDocument): void {
  const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
  const used = new Set(Array.from(references, ([, name]) => name));
  const { schemas } = document.components;
  for (const name of Object.keys(schemas)) {
    if (!used.has(name)) delete schemas[name];
  }
}

function* shapesOf(operation: DescribedOperation): Generator<{ schema: SchemaNode }> {
  for (const parameter of operation.parameters ?? []) if ('schema' in parameter) yield parameter;
  if (operation.requestBody !== undefined) yield* Object.values(operation.requestBody.content);
  for (const [, answer] of ownAnswers(operation)) yield* Object.values(answer.content ?? {});
}

/** Returns the responses of an operation before any of them is shared. */
function ownAnswers(operation: DescribedOperation): [string, Answer][] {
  return Object.entries(operation.responses) as [string, Answer][];
}

function describeOperation(document: OpenApiDocument, described: DescribedOperation, operation: Operation): void {
  const body = described.requestBody?.content[json];
  if (body !== undefined && operation.examples !== undefined) setExamples(body, operation.examples);
  if (described.requestBody !== undefined) Object.assign(described.requestBody.content, operation.otherBodies);
  if (operation.rawBodies !== undefined)
    described.requestBody = { required: true, content: { ...operation.rawBodies } };
  if (operation.headers !== undefined) {
    described.parameters = [...(described.parameters ?? []), ...headerParameters(operation.headers)];
  }
  if (operation.repeat === 'with-key') {
    described.parameters = [...(described.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
  }
  if (operation.entityTag === 'change') {
    described.parameters = [...(described.parameters ?? []), { $ref: '#/components/parameters/IfMatch' }];
  }
  if (operation.waits === true) {
    described.parameters = [...(described.parameters ?? []), { $ref: '#/components/parameters/Prefer' }];
  }
  described.parameters &&= described.parameters.map((parameter) => describeParameter(document, parameter));
  if (operation.callback !== undefined) described.callbacks = describeCallback(document, operation.callback);
  describeSuccess(document, described, operation);
}

/** Describes the headers that only one operation reads. */
function headerParameters({ properties, required }: TObject): Parameter[] {
  const needed: readonly string[] = required ?? [];
  return Object.entries(properties).map(([name, shape]) => {
    const { description, examples, ...schema } = publicSchema(shape as SchemaNode) as HeaderSchema;
    return { name, in: 'header', required: needed.includes(name), description, schema, example: examples[0]! };
  });
}

interface HeaderSchema extends SchemaNode {
  readonly description: string;
  readonly examples: readonly string[];
}

/** Returns the header `Allow` of a path. Fastify adds HEAD for every GET. */
function allowOf(document: OpenApiDocument, path: string): string {
  const methods = Object.keys(document.paths[path] ?? {}).map((method) => method.toUpperCase());
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

function describeParameter(document: OpenApiDocument, parameter: Parameter | Reference): Parameter | Reference {
  if ('$ref' in parameter) return parameter;
  const { name, in: place, required = false, description, schema, example } = parameter;
  const described = { name, in: place, required, ...(description === undefined ? {} : { description }), schema };
  // The library moves the example of a shape to its parameter.
  if (example !== undefined) return { ...described, example };
  return place === 'path' ? { ...described, example: exampleOf(document, schema, name) as string } : described;
}

function describeSuccess(document: OpenApiDocument, described: DescribedOperation, operation: Operation): void {
  const limited = errorsOf(operation).includes('rate_limited');
  for (const [status, answer] of ownAnswers(described)) {
    if (!status.startsWith('2')) continue;
    if (answer.description === 'Default Response') answer.description = 'Success.';
    answer.headers = headerReferences([
      ...commonHeaders,
      ...(limited ? rateLimitHeaders : []),
      ...(operation.entityTag === undefined ? [] : (['ETag'] as const)),
      ...(operation.waits === true ? (['Preference-Applied'] as const) : []),
    ]);
    if (operation.answerBodies !== undefined) answer.content = { ...operation.answerBodies };
    const media = answer.content?.[json];
    if (media === undefined) continue;
    if (operation.answerExamples === undefined)
      media.example = exampleOf(document, media.schema, described.operationId);
    else setExamples(media, operation.answerExamples);
  }
}

function describeErrors(described: DescribedOperation, operation: Operation, allow: string): void {
  const codes = errorsOf(operation);
  const byStatus = errorExamples({
    codes,
    envelope: rulesOf(operation).errorEnvelope,
    allow,
    permission: operation.permission,
    params: Object.keys(paramsOf(operation.path)?.properties ?? {}),
    query: operation.query,
    body: operation.body,
  });
  for (const [status, examples] of byStatus) {
    const answer = described.responses[status] as Answer | undefined;
    if (answer === undefined) throw new Error(`${described.operationId} does not describe its response ${status}`);
    const media = answer.content?.[json];
    if (media !== undefined) setExamples(media, examples);
    const headers = codes.flatMap((code) => (code in examples ? (errorHeaders[code] ?? []) : []));
    answer.headers = headerReferences([...commonHeaders, ...headers]);
  }
}

function setExamples(media: MediaType, examples: Examples): void {
  media.examples = { ...examples };
}

function headerReferences(names: readonly SharedHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
