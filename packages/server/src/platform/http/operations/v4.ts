import { Faults, type ApiErrorCode, type PartlyRead, type Scope } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Credential } from '../authentication/credential.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { errorAnswers } from '../errors/error-answers.ts';
import { v4Error } from '../errors/error-envelopes.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { CallbackDocs, Examples } from '../openapi/operation-docs.ts';
import { bodyConfig, readBody } from '../bodies/read-body.ts';
import { apiKeyErrors, credentialOf } from './v5.ts';

/** One request of a v4 operation, authenticated and read as far as it could be. */
export interface V4Request<Body> {
  readonly requestId: string;
  readonly credential: Credential;
  /** What was read; parts with faults are absent. */
  readonly body: PartlyRead<Body>;
  /** The faults of the envelope. The operation adds those that the account reveals, so that one answer has all of them. */
  readonly faults: Faults;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/** One operation of the v4 interface: POST with a JSON body (interface §4.3). */
export interface V4Operation<Body extends TSchema> {
  /** Path with the version segment. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: Scope;
  readonly body: Body;
  /** Request bodies for the documentation, by name. */
  readonly examples: Examples;
  readonly answer: TSchema;
  /** The callback that the operation sends. */
  readonly callback?: CallbackDocs;
  /** Errors beyond those that every operation with an API key has. */
  readonly errors?: readonly ApiErrorCode[];
  handle(request: V4Request<Static<Body>>): Promise<object>;
}

/** Most faults of an answer: each of a hundred attributes can have one, and all are named (decisions §5). */
const mostFaults = 150;

/** Serves an operation of v4; the scope of `app` must be authenticated by {@link requireApiKey}. */
export function serveV4<Body extends TSchema>(app: FastifyInstance, operation: V4Operation<Body>): void {
  const { examples, callback } = operation;
  const errors = [...apiKeyErrors, ...(operation.errors ?? [])];
  app.route({
    method: 'POST',
    url: operation.path,
    config: {
      scope: operation.scope,
      errorEnvelope: v4Error,
      ...bodyConfig(operation.body, () => ({
        kind: 'shape',
        shape: (operation.body as { readonly $id?: string }).$id!,
        faults: mostFaults,
      })),
      docs: { examples, errors, callback },
      deadline: acceptDeadline,
    },
    onRequest: assumeJson,
    schema: {
      operationId: operation.operationId,
      tags: [operation.tag],
      summary: operation.summary,
      description: operation.description,
      security: [{ apiKey: [] }],
      body: operation.body,
      response: { 200: operation.answer, ...errorAnswers(errors, 'ExportErrorAnswer') },
    },
    handler: (request) => {
      const faults = new Faults(mostFaults);
      const idempotencyKey = readIdempotencyKey(request, faults);
      const body = readBody(operation.body, request, faults);
      const { id: requestId } = request;
      return operation.handle({ requestId, credential: credentialOf(request), body, faults, idempotencyKey });
    },
  });
}

/** The content type may be left out (interface §4.3). Programs that are not told one send that of a form, as curl does, or of a text, as `fetch` does. */
export async function assumeJson({ headers }: FastifyRequest): Promise<void> {
  const type = headers['content-type'];
  if (type === undefined || /^(application\/x-www-form-urlencoded|text\/plain)\b/i.test(type)) {
    headers['content-type'] = 'application/json';
  }
}
