import { createHash, timingSafeEqual } from 'node:crypto';
import { Faults, readerOf, type ApiErrorCode, type FailureCode, type PartlyRead } from '@roster/contract';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { ApiError, invalidRequest } from '#platform/errors/api-error.ts';
import { invalidCredential, misplacedCredential, apiKeyAsToken } from '../authentication/authenticate-challenge.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { departureOf } from '../connection/client-disconnect.ts';
import { errorAnswers } from '../errors/error-answers.ts';
import { failureTable } from '../openapi/failure-table.ts';
import type { Examples, OperationDocs } from '../openapi/operation-docs.ts';
import { maxInteger } from '../paging/page.ts';
import { bodyConfig, readBody } from '../bodies/read-body.ts';
import type { Service } from '../server/service.ts';

/** One request of an operator operation, authenticated and read. */
interface AdminRequest<Params, Query, Body> {
  readonly requestId: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Makes a signal that is aborted when the client goes away before it is answered. */
  readonly departure: () => AbortSignal;
  /** The request as it came, for operations whose bodies are no JSON. */
  readonly incoming: FastifyRequest;
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void;
}

/** One operation of the operator API (decisions §9). */
export interface AdminOperation<
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Read = Static<Body>,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below `/admin/v1`, with `:name` for parameters. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Shape of the parameters of the path: integers and UUIDs. What does not fit is answered with 404. */
  readonly params?: Params;
  readonly query?: Query;
  /** Shape of the body; a PATCH needs at least one field of it. */
  readonly body?: Body;
  /** Bodies of other media types than JSON, which the scope of the operation must read, for the documentation. */
  readonly otherBodies?: OperationDocs['otherBodies'];
  /** Instead of a body in JSON: bodies that the operation reads from {@link AdminRequest.incoming}, however long they take to arrive. */
  readonly rawBodies?: OperationDocs['rawBodies'];
  /** Request bodies for the documentation, by name. */
  readonly examples?: Examples;
  /** HTTP status of success; default 200. With 204 there is no answer. */
  readonly status?: 200 | 201 | 204;
  /** Shape of the answer. */
  readonly answer?: TSchema;
  /** Answers for the documentation; by default one is made from the examples in the shape. */
  readonly answerExamples?: Examples;
  /** Instead of an answer in JSON: what the operation answers with, by media type. */
  readonly answerBodies?: OperationDocs['answerBodies'];
  /** Asynchronous operations: why items can fail when the request is applied. */
  readonly failures?: readonly FailureCode[];
  /** Errors beyond those that follow from the method, the parameters, the query and the body. */
  readonly errors?: readonly ApiErrorCode[];
  /** Finds what else is wrong with a body that has faults, in what could be read of it: all of them come in one answer (decisions §2). */
  findMore?(
    request: AdminRequest<Static<Params>, Static<Query>, PartlyRead<Static<Body>>>,
    faults: Faults,
  ): Promise<void>;
  /** Instead of {@link readBody} with the shape of the body: reads `request.body`, of a scope that makes something else of it than JSON. */
  readBody?(request: FastifyRequest, faults: Faults): Promise<Read | undefined>;
  handle(request: AdminRequest<Static<Params>, Static<Query>, Read>): Promise<object | Readable | undefined>;
}

/** Where the operator API is served. */
export const adminPrefix = '/admin/v1';

/** Serves an operation of the operator API; the scope of `app` must be authenticated by {@link requireOperator}. */
export function serveAdmin<Params extends TObject, Query extends TObject, Body extends TSchema, Read = Static<Body>>(
  app: FastifyInstance,
  operation: AdminOperation<Params, Query, Body, Read>,
): void {
  const status = operation.status ?? 200;
  const { examples, otherBodies, rawBodies, answerExamples, answerBodies } = operation;
  const errors = errorsOf(operation);
  app.route({
    method: operation.method,
    url: `${adminPrefix}${operation.path}`,
    validatorCompiler,
    config: {
      ...bodyConfig(operation.body),
      docs: { examples, otherBodies, rawBodies, answerExamples, answerBodies, errors },
      arrivesSlowly: rawBodies !== undefined,
      storesRequests: storesRequests(operation),
      ...(operation.failures === undefined ? {} : { deadline: acceptDeadline }),
    },
    ...(operation.body === undefined ? { onRequest: ignoreEmptyBody } : {}),
    schema: {
      operationId: operation.operationId,
      tags: [operation.tag],
      summary: operation.summary,
      description:
        operation.failures === undefined
          ? operation.description
          : `${operation.description}\n\n${failureTable(operation.failures)}`,
      security: [{ operatorToken: [] }],
      ...(operation.params === undefined ? {} : { params: operation.params }),
      ...(operation.query === undefined ? {} : { querystring: operation.query }),
      ...(operation.body === undefined ? {} : { body: operation.body }),
      response: {
        [status]: operation.answer ?? { type: 'null', description: 'Done; there is nothing more to say.' },
        ...errorAnswers(errors),
      },
    },
    handler: async (request, reply) => {
      const faults = new Faults();
      const body =
        operation.body === undefined ? undefined : await readAdminBody(operation, operation.body, request, faults);
      const envelope = {
        requestId: request.id,
        params: request.params as Static<Params>,
        query: request.query as Static<Query>,
        departure: () => departureOf(reply.raw),
        incoming: request,
        setHeader: (name: string, value: string) => void reply.header(name, value),
      };
      if (faults.count > 0) {
        await operation.findMore?.({ ...envelope, body: body as PartlyRead<Static<Body>> }, faults);
        throw invalidRequest(faults.list);
      }
      reply.code(status);
      // Without faults all of the body was read.
      return operation.handle({ ...envelope, body: body as Read });
    },
  });
}

/** Authenticates every route of a scope by the operator token, before the body is read. */
export function requireOperator(app: FastifyInstance, { adminToken, failedAuthentications }: Service): void {
  const expected = sha256(adminToken);
  app.addHook('onRequest', async (request) => {
    const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Compared first: the token must work from an address whose failures are limited. The hashes have one length, and comparing them takes
    // one time, whatever was sent.
    if (token === undefined || !timingSafeEqual(sha256(token), expected)) {
      const hint = token === undefined ? misplacedCredential(request, 'operator') : apiKeyAsToken(token);
      const error = invalidCredential('invalid_operator_token', 'operator', hint);
      throw failedAuthentications.fail(request.ip, 'operator_token', error);
    }
  });
}

/** Many clients name a content type on every request; without this, a DELETE of theirs would be an empty JSON body, which is none. */
async function ignoreEmptyBody({ headers }: FastifyRequest): Promise<void> {
  const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (empty) delete headers['content-type'];
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const bodyErrors = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'body_too_complex',
  'body_too_deep',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'too_many_large_bodies',
] as const satisfies readonly ApiErrorCode[];

function errorsOf(operation: AdminOperation<TObject, TObject, TSchema>): ApiErrorCode[] {
  return [
    ...(operation.body === undefined ? [] : bodyErrors),
    ...(operation.query === undefined ? [] : (['invalid_request'] as const)),
    'invalid_operator_token',
    'too_many_failed_authentications',
    'method_not_allowed',
    'unknown_host',
    ...(operation.params === undefined ? [] : (['not_found'] as const)),
    ...(storesRequests(operation) ? (['too_many_requests_in_flight'] as const) : []),
    ...(operation.errors ?? []),
    'internal',
    'unavailable',
    'overloaded',
    'timed_out',
  ];
}

/** True when the request itself is stored for the pipeline; a file becomes requests later. */
function storesRequests({
  failures,
  rawBodies,
}: Pick<AdminOperation<TObject, TObject, TSchema>, 'failures' | 'rawBodies'>): boolean {
  return failures !== undefined && rawBodies === undefined;
}

/** Of the parameters and the query; the body is read by {@link readAdminBody}. */
const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'params') return paramsValidator(schema as TObject);
  if (httpPart === 'body') return (value: unknown) => ({ value });
  const read = readerOf(schema);
  return (input: unknown) => {
    const faults = new Faults();
    const value: unknown = read(input, faults);
    return faults.count > 0 ? { error: invalidRequest(faults.list) } : { value };
  };
};

async function readAdminBody<Body extends TSchema, Read>(
  { readBody: read }: Pick<AdminOperation<TObject, TObject, Body, Read>, 'readBody'>,
  shape: Body,
  request: FastifyRequest,
  faults: Faults,
): Promise<PartlyRead<Static<Body>> | Read | undefined> {
  // There is null where there is no body; `{}` makes the fields that are missing appear in the errors.
  request.body ??= {};
  const body = read === undefined ? readBody(shape, request, faults) : await read(request, faults);
  // What was sent is not looked at again, and ten thousand records are better garbage at once than when the request is answered.
  request.body = undefined;
  if (request.method === 'PATCH' && faults.count === 0 && Object.keys(body ?? {}).length === 0) {
    const fields = Object.keys((shape as unknown as TObject).properties).join(', ');
    faults.add('required', `needs at least one of the fields ${fields}`);
  }
  return body;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is not an id names nothing, so it is 404 like an id that nothing has. */
function paramsValidator(schema: TObject) {
  const params = Object.entries(schema.properties).map(([name, shape]) => ({
    name,
    read: (shape as { type?: string }).type === 'integer' ? readId : readUuid,
  }));
  return (input: Readonly<Record<string, string>>) => {
    const value: Record<string, string | number> = {};
    for (const { name, read } of params) {
      const id = read(input[name] ?? '');
      if (id === undefined) {
        const form = read === readId ? 'a number' : 'a UUID';
        const what = `${name.replace(/_id$/, '').replaceAll('_', ' ')} with this ${name}, which is ${form}`;
        return { error: new ApiError('not_found', { params: { what } }) };
      }
      value[name] = id;
    }
    return { value };
  };
}

function readId(text: string): number | undefined {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= maxInteger ? Number(text) : undefined;
}

function readUuid(text: string): string | undefined {
  return uuid.test(text) ? text.toLowerCase() : undefined;
}
