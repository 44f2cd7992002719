import type { RouteOptions } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { v5Error } from '../errors/error-envelopes.ts';
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
import { filterLanguage } from '#features/search/filter/filter-language.ts';
import type { Examples, OperationDocs } from './operation-docs.ts';
import { publicSchema } from './public-schema.ts';
import { sampleOf } from './sample.ts';
import { shareErrorAnswers } from './shared-answers.ts';
import {
  commonHeaders,
  errorHeaders,
  idempotencyKeyParameter,
  rateLimitHeaders,
  sharedHeaders,
  type SharedHeader,
} from './shared-parts.ts';

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
  for (const { path, operation } of operationsOf(document)) {
    for (const schema of shapesOf(operation)) schema.schema = publicSchema(schema.schema);
    const route = routes.get(operation.operationId);
    const docs = route?.config?.docs;
    if (route === undefined || docs === undefined) continue;
    describeOperation(document, operation, docs);
    describeErrors(operation, route, docs, allowOf(document, path));
  }
  shareErrorAnswers(document);
  dropUnusedShapes(document);
  return document;
}

/** Shapes that only stand inside others are there already. */
function dropUnusedShapes(document: OpenApiDocument): void {
  const text = JSON.stringify(document);
  const { schemas } = document.components;
  for (const name of Object.keys(schemas)) {
    if (!text.includes(`"#/components/schemas/${name}"`)) delete schemas[name];
  }
}

function* shapesOf(operation: DescribedOperation): Generator<{ schema: SchemaNode }> {
  for (const parameter of operation.parameters ?? []) if ('schema' in parameter) yield parameter;
  if (operation.requestBody !== undefined) yield* Object.values(operation.requestBody.content);
  for (const [, answer] of ownAnswers(operation)) yield* Object.values(answer.content ?? {});
}

/** The answers before any of them is shared. */
function ownAnswers(operation: DescribedOperation): [string, Answer][] {
  return Object.entries(operation.responses) as [string, Answer][];
}

function describeOperation(document: OpenApiDocument, operation: DescribedOperation, docs: OperationDocs): void {
  if (docs.filtersContacts === true) operation.description = `${operation.description}\n\n${filterLanguage()}`;
  const body = operation.requestBody?.content[json];
  if (body !== undefined && docs.examples !== undefined) setExamples(body, docs.examples);
  if (operation.requestBody !== undefined) Object.assign(operation.requestBody.content, docs.otherBodies);
  if (docs.rawBodies !== undefined) operation.requestBody = { required: true, content: { ...docs.rawBodies } };
  if (docs.errors.includes('idempotency_conflict')) {
    operation.parameters = [...(operation.parameters ?? []), { $ref: '#/components/parameters/IdempotencyKey' }];
  }
  operation.parameters &&= operation.parameters.map((parameter) => describeParameter(document, parameter));
  if (docs.callback !== undefined) operation.callbacks = describeCallback(document, docs.callback);
  describeSuccess(document, operation, docs);
}

/** The header `Allow` of a path: Fastify answers HEAD wherever it answers GET. */
function allowOf(document: OpenApiDocument, path: string): string {
  const methods = Object.keys(document.paths[path] ?? {}).map((method) => method.toUpperCase());
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

/** The ids of paths have one meaning each, so that their descriptions need not be repeated in every route. */
const parameterDocs: Readonly<Record<string, string>> = {
  account_id: 'Number of the account.',
  api_key_id: 'Number of the API key.',
  attribute_id: 'Number of the attribute.',
  import_id: 'Identifier of the import, out of the answer that made it.',
  audience_id: 'Number of the list or segment.',
  mail_id: 'Identifier of the mail.',
  delivery_id: 'Identifier of the delivery.',
  request_id: 'Identifier of the request, out of the answer that accepted it.',
};

function describeParameter(document: OpenApiDocument, parameter: Parameter | Reference): Parameter | Reference {
  if ('$ref' in parameter) return parameter;
  const { name, in: place, required = false, description = parameterDocs[name], schema } = parameter;
  const described = { name, in: place, required, ...(description === undefined ? {} : { description }), schema };
  return place === 'path' ? { ...described, example: sampleOf(document, schema, name) } : described;
}

function describeSuccess(document: OpenApiDocument, operation: DescribedOperation, docs: OperationDocs): void {
  const limited = docs.errors.includes('rate_limited');
  for (const [status, answer] of ownAnswers(operation)) {
    if (!status.startsWith('2')) continue;
    if (answer.description === 'Default Response') answer.description = 'Success.';
    answer.headers = headerReferences([...commonHeaders, ...(limited ? rateLimitHeaders : [])]);
    if (docs.answerBodies !== undefined) answer.content = { ...docs.answerBodies };
    const media = answer.content?.[json];
    if (media === undefined) continue;
    if (docs.answerExamples === undefined) media.example = sampleOf(document, media.schema);
    else setExamples(media, docs.answerExamples);
  }
}

function describeErrors(
  operation: DescribedOperation,
  route: DescribedRoute,
  docs: OperationDocs,
  allow: string,
): void {
  const { schema, config } = route;
  const byStatus = errorExamples({
    codes: docs.errors,
    envelope: config?.errorEnvelope ?? v5Error,
    allow,
    scope: config?.scope,
    params: Object.keys((schema?.params as TObject | undefined)?.properties ?? {}),
    query: schema?.querystring as TSchema | undefined,
    body: schema?.body as TSchema | undefined,
  });
  for (const [status, examples] of byStatus) {
    const answer = operation.responses[status] as Answer | undefined;
    if (answer === undefined) throw new Error(`${operation.operationId} does not describe its answer ${status}`);
    const media = answer.content?.[json];
    if (media !== undefined) setExamples(media, examples);
    const headers = docs.errors.flatMap((code) => (code in examples ? (errorHeaders[code] ?? []) : []));
    answer.headers = headerReferences([...commonHeaders, ...headers]);
  }
}

function setExamples(media: MediaType, examples: Examples): void {
  media.examples = { ...examples };
}

function headerReferences(names: readonly SharedHeader[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
