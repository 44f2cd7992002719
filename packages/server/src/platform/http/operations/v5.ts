import {
  AcceptedAnswer,
  Faults,
  type ApiErrorCode,
  type FailureCode,
  type PartlyRead,
  type Scope,
} from '@roster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Credential } from '../authentication/credential.ts';
import { ApiError, refusalOf } from '#platform/errors/api-error.ts';
import { invalidCredential, misplacedCredential } from '../authentication/authenticate-challenge.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { departureOf } from '../connection/client-disconnect.ts';
import { errorAnswers } from '../errors/error-answers.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { failureTable } from '../openapi/failure-table.ts';
import type { Examples } from '../openapi/operation-docs.ts';
import type { BodyTask } from '#app/api/body-tasks.ts';
import { bodyConfig, readBody } from '../bodies/read-body.ts';
import type { Service } from '../server/service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication of the API-key operations. */
    credential: Credential | null;
  }
  interface FastifyContextConfig {
    /** Scope that the API key needs. */
    scope?: Scope;
  }
}

/** One request of a V5 operation, authenticated and read. */
export interface V5Request<Body> {
  readonly requestId: string;
  readonly credential: Credential;
  readonly body: Body;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Makes a signal that is aborted when the client goes away before it is answered. */
  readonly departure: () => AbortSignal;
}

/** One operation of the V5 interface; all are POST with a JSON body (decisions §2). */
export interface V5Operation<Body extends TSchema, Checked = undefined, Read = Static<Body>> {
  /** Path without the version segment. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: Scope;
  readonly body: Body;
  /** Request bodies for the documentation, by name. */
  readonly examples: Examples;
  /** Shape of the answer; default {@link AcceptedAnswer}. */
  readonly answer?: TSchema;
  /** Answers for the documentation; by default one is made from the examples in the shape. */
  readonly answerExamples?: Examples;
  /** For the documentation: the body has a filter of contacts, whose language is explained. */
  readonly filtersContacts?: boolean;
  /** Errors beyond those that every V5 operation has. */
  readonly errors?: readonly ApiErrorCode[];
  /** Asynchronous operations: why items can fail when the request is applied. */
  readonly failures?: readonly FailureCode[];
  /** What a thread does with a large body, instead of reading it in its shape; see {@link readBody}. */
  readonly bodyTask?: (request: FastifyRequest) => BodyTask;
  /** Instead of the function of this name with the shape of the body: makes of it what {@link handle} needs; undefined beside faults. */
  readBody?(request: FastifyRequest, faults: Faults): Read | undefined;
  /**
   * Checks what the envelope cannot show. It gets whatever could be read of the envelope, and what it finds is answered together with the
   * faults of that.
   */
  check?(request: V5Request<PartlyRead<Static<Body>>>, faults: Faults): Promise<Checked>;
  /** Answers a request without faults; `checked` is what {@link check} answered. */
  handle(request: V5Request<Read>, checked: Checked): Promise<object>;
}

/** What every operation with an API key can be answered with. */
export const apiKeyErrors = [
  'invalid_json',
  'invalid_request',
  'invalid_api_key',
  'missing_scope',
  'method_not_allowed',
  'unknown_host',
  'body_too_large',
  'body_too_complex',
  'body_too_deep',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'rate_limited',
  'too_many_failed_authentications',
  'too_many_large_bodies',
  'internal',
  'unavailable',
  'overloaded',
  'timed_out',
] as const satisfies readonly ApiErrorCode[];

/** Serves an operation at `/v5<path>` and at `<path>`; the second form is not listed in the OpenAPI description again. */
export function serveV5<Body extends TSchema, Checked = undefined, Read = Static<Body>>(
  app: FastifyInstance,
  operation: V5Operation<Body, Checked, Read>,
): void {
  const { examples, answerExamples, filtersContacts } = operation;
  const storesRequests = operation.failures !== undefined;
  const errors = [
    ...apiKeyErrors,
    ...(storesRequests ? (['too_many_requests_in_flight'] as const) : []),
    ...(operation.errors ?? []),
  ];
  for (const prefix of ['/v5', '']) {
    app.route({
      method: 'POST',
      url: `${prefix}${operation.path}`,
      config: {
        scope: operation.scope,
        ...bodyConfig(operation.body, operation.bodyTask),
        storesRequests,
        docs: { examples, answerExamples, filtersContacts, errors },
        // Without an answer of its own, the operation only accepts.
        ...(operation.answer === undefined ? { deadline: acceptDeadline } : {}),
      },
      onRequest: requireContentType,
      schema: {
        hide: prefix === '',
        operationId: operation.operationId,
        tags: [operation.tag],
        summary: operation.summary,
        description: [
          operation.description,
          `Also served at \`${operation.path}\`, without the version segment.`,
          ...(operation.failures === undefined ? [] : [failureTable(operation.failures)]),
        ].join('\n\n'),
        security: [{ apiKey: [] }],
        body: operation.body,
        response: {
          200: operation.answer ?? AcceptedAnswer,
          ...errorAnswers(errors),
        },
      },
      handler: (request, reply) => answer(operation, request, reply),
    });
  }
}

async function answer<Body extends TSchema, Checked, Read>(
  operation: V5Operation<Body, Checked, Read>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const faults = new Faults();
  const idempotencyKey = readIdempotencyKey(request, faults);
  const body =
    operation.readBody === undefined ? readBody(operation.body, request, faults) : operation.readBody(request, faults);
  const envelope = {
    requestId: request.id,
    credential: credentialOf(request),
    idempotencyKey,
    departure: () => departureOf(reply.raw),
  };
  const checked = await operation.check?.({ ...envelope, body: body as PartlyRead<Static<Body>> }, faults);
  if (faults.count > 0) throw refusalOf(faults);
  // Without faults all of the body was read.
  return operation.handle({ ...envelope, body: body as Read }, checked as Checked);
}

/** What every answer to a synchronous operation begins with (decisions §2). */
export function successOf({ requestId }: Pick<V5Request<unknown>, 'requestId'>, description: string): object {
  return { request_id: requestId, code: 200, status: 'success', description };
}

/** Authenticates every route of a scope by the `api-key` header, before the body is read; `errors` are those for no key and for a wrong one. */
export function requireApiKey(
  app: FastifyInstance,
  { credentials, failedAuthentications }: Service,
  errors: { readonly blank: ApiErrorCode; readonly unknown: ApiErrorCode } = {
    blank: 'invalid_api_key',
    unknown: 'invalid_api_key',
  },
): void {
  app.addHook('onRequest', async (request) => {
    const header = request.headers['api-key'];
    const apiKey = typeof header === 'string' ? header.trim() : '';
    const refusal = (code: ApiErrorCode): ApiError => {
      const hint = apiKey === '' ? misplacedCredential(request, 'header') : undefined;
      return failedAuthentications.fail(request.ip, 'api_key', invalidCredential(code, 'header', hint));
    };
    if (apiKey === '') throw refusal(errors.blank);
    const credential = await credentials.find(apiKey);
    if (credential === undefined) throw refusal(errors.unknown);
    const scope = request.routeOptions.config.scope;
    if (scope !== undefined && !credential.scopes.has(scope))
      throw new ApiError('missing_scope', { params: { scope } });
    request.credential = credential;
  });
}

/** Without a content type there is nothing to read a body by, and nothing else would notice that there is no body at all. */
async function requireContentType({ headers }: FastifyRequest): Promise<void> {
  if (headers['content-type'] === undefined) throw new ApiError('unsupported_media_type');
}

/** The credential of an authenticated request. */
export function credentialOf(request: FastifyRequest): Credential {
  if (request.credential === null) throw new Error('the route is not authenticated');
  return request.credential;
}
