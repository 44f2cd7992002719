import type { RouteOptions } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { v5Error } from '../errors.ts';
import {
  type DescribedOperation,
  type MediaType,
  type OpenApiDocument,
  operationsOf,
  type Parameter,
  type SchemaNode,
} from './document.ts';
import { errorExamples } from './error-examples.ts';
import type { Examples, OperationDocs } from './operation-docs.ts';
import { publicSchema } from './public-schema.ts';
import { sampleOf } from './sample.ts';
import {
  errorHeaders,
  idempotencyKeyParameter,
  rateLimitHeaders,
  sharedHeaders,
  type SharedHeader,
} from './shared-parts.ts';

const json = 'application/json';

/** The parts of a route that its description is made from. */
export interface DescribedRoute extends Pick<RouteOptions, 'method' | 'schema' | 'config'> {}

/** Turns what @fastify/swagger made of the shapes into the published description: examples, errors, headers, no private keywords. */
export function finishDocument(
  document: OpenApiDocument,
  routes: ReadonlyMap<string, DescribedRoute>,
): OpenApiDocument {
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = publicSchema(schema);
  document.components.headers = { ...sharedHeaders };
  document.components.parameters = { IdempotencyKey: idempotencyKeyParameter };
  for (const { operation } of operationsOf(document)) {
    for (const schema of shapesOf(operation)) schema.schema = publicSchema(schema.schema);
    const route = routes.get(operation.operationId);
    const docs = route?.config?.docs;
    if (route !== undefined && docs !== undefined) describeOperation(document, operation, route, docs);
  }
  return document;
}

function* shapesOf(operation: DescribedOperation): Generator<{ schema: SchemaNode }> {
  for (const parameter of operation.parameters ?? []) if ('schema' in parameter) yield parameter;
  if (operation.requestBody !== undefined) yield* Object.values(operation.requestBody.content);
  for (const answer of Object.values(operation.responses)) yield* Object.values(answer.content ?? {});
}

function describeOperation(
  document: OpenApiDocument,
  operation: DescribedOperation,
  route: DescribedRoute,
  docs: OperationDocs,
): void {
  const body = operation.requestBody?.content[json];
  if (body !== undefined && docs.examples !== undefined) setExamples(body, docs.examples);
  if (docs.errors.includes('idempotency_conflict')) {
    operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
  }
  for (const parameter of operation.parameters ?? []) describeParameter(document, parameter);
  describeSuccess(document, operation, docs);
  describeErrors(operation, route, docs);
}

/** The ids of paths have one meaning each, so that their descriptions need not be repeated in every route. */
const parameterDocs: Readonly<Record<string, string>> = {
  account_id: 'Number of the account.',
  api_key_id: 'Number of the API key.',
  audience_id: 'Number of the list or segment.',
  request_id: 'Identifier of the request, out of the answer that accepted it.',
};

function describeParameter(document: OpenApiDocument, parameter: Parameter): void {
  if (!('schema' in parameter) || parameter.in !== 'path') return;
  const description = parameter.description ?? parameterDocs[parameter.name];
  if (description !== undefined) parameter.description = description;
  parameter.example ??= sampleOf(document, parameter.schema);
}

function describeSuccess(document: OpenApiDocument, operation: DescribedOperation, docs: OperationDocs): void {
  const limited = docs.errors.includes('rate_limited');
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue;
    if (limited) answer.headers = headerReferences(rateLimitHeaders);
    const media = answer.content?.[json];
    if (media === undefined) continue;
    if (docs.answerExamples === undefined) media.example = sampleOf(document, media.schema);
    else setExamples(media, docs.answerExamples);
  }
}

function describeErrors(operation: DescribedOperation, route: DescribedRoute, docs: OperationDocs): void {
  const { schema, config } = route;
  const byStatus = errorExamples({
    codes: docs.errors,
    envelope: config?.errorEnvelope ?? v5Error,
    allow: [route.method].flat().join(', '),
    scope: config?.scope,
    params: Object.keys((schema?.params as TObject | undefined)?.properties ?? {}),
    query: schema?.querystring as TSchema | undefined,
    body: schema?.body as TSchema | undefined,
  });
  const limited = docs.errors.includes('rate_limited');
  for (const [status, examples] of byStatus) {
    const answer = operation.responses[status];
    if (answer === undefined) throw new Error(`${operation.operationId} does not describe its answer ${status}`);
    const media = answer.content?.[json];
    if (media !== undefined) setExamples(media, examples);
    const names = [
      ...docs.errors.flatMap((code) => (code in examples ? (errorHeaders[code] ?? []) : [])),
      // Whoever has no valid key has no limit either.
      ...(limited && status !== 401 && status !== 403 ? rateLimitHeaders : []),
    ];
    if (names.length > 0) answer.headers = headerReferences(names);
  }
}

function setExamples(media: MediaType, examples: Examples): void {
  media.examples = { ...examples };
}

function headerReferences(names: readonly SharedHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
