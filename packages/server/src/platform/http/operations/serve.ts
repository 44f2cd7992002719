import { Faults, type PartlyRead } from '@roster/contract';
import {
  errorsOf,
  operationTable,
  paramsOf,
  storesRequests,
  type BodyOf,
  type Operation,
  type OperationId,
  type OperationOf,
} from '@roster/contract/operations';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { BodyTask } from '../bodies/body-task.ts';
import { bodyConfig, readBody } from '../bodies/read-body.ts';
import { departureOf } from '../connection/client-disconnect.ts';
import { errorAnswers } from '../errors/error-answers.ts';
import { failureTable } from './failure-table.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { rulesOf, type GenerationRules } from './generation-rules.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { Answered, OperationRequest, PartlyReadRequest } from './request.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation of the route, in the table of the contract. */
    operationId?: OperationId;
  }
}

/**
 * What a feature does for one operation of the table.
 *
 * A request is read, then checked, then handled. All faults that reading and checking find come in
 * one answer.
 */
export interface Handler<Id extends OperationId, Checked = undefined, Read = BodyOf<OperationOf<Id>>> {
  /** What a thread does with a large body; default: reads it in its shape. */
  readonly bodyTask?: (request: FastifyRequest) => BodyTask;
  /**
   * Instead of reading the body in its shape: makes what {@link handle} needs of it; undefined
   * together with faults.
   */
  readBody?(request: FastifyRequest, faults: Faults): Read | undefined | Promise<Read | undefined>;
  /**
   * Checks what the shape cannot show, also when there are faults already. It gets what could be
   * read.
   */
  check?(request: PartlyReadRequest<Id>, faults: Faults): Promise<Checked>;
  /**
   * Looks for further faults of a body that has some. {@link handle} finds them in a body that has
   * none.
   */
  checkFaulty?(request: PartlyReadRequest<Id>, faults: Faults): Promise<void>;
  /** Handles a request without faults; `checked` is the result of {@link check}. */
  handle(request: OperationRequest<Id, Read>, checked: Checked): Promise<Answered<Id> | Readable>;
  /** A text that the feature adds to the description of the operation. */
  readonly moreDescription?: () => string;
}

/**
 * Serves an operation of the contract.
 *
 * Method, path, shapes and documentation come from the table; the envelope, the reader and the
 * rules of the body from the generation. `app` must be a scope with the authentication of that
 * generation.
 */
export function serve<Id extends OperationId, Checked = undefined, Read = BodyOf<OperationOf<Id>>>(
  app: FastifyInstance,
  id: Id,
  handler: Handler<Id, Checked, Read>,
): void {
  const operation: Operation = operationTable[id];
  const rules = rulesOf(operation);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const deadline = operation.failures === undefined ? rules.deadline : acceptDeadline;
  // Fastify fills in the options that it is given: each route needs options of its own.
  const config = () => ({
    operationId: id,
    errorEnvelope: rules.errorEnvelope,
    ...(operation.scope === undefined ? {} : { scope: operation.scope }),
    ...bodyConfig(operation.body, handler.bodyTask ?? rules.bodyTask?.(operation)),
    arrivesSlowly: operation.rawBodies !== undefined,
    storesRequests: storesRequests(operation),
    ...(deadline === undefined ? {} : { deadline }),
  });
  for (const url of rules.pathsOf(path)) {
    app.route({
      method: operation.method,
      url,
      ...(rules.validatorCompiler === undefined ? {} : { validatorCompiler: rules.validatorCompiler }),
      ...(rules.onRequest === undefined ? {} : { onRequest: rules.onRequest(operation) }),
      config: config(),
      schema: { ...schemaOf(id, operation, rules, handler.moreDescription), hide: url !== path },
      handler: (request, reply) => answer(operation, rules, handler, request, reply),
    });
  }
}

/** What the OpenAPI document is made from, besides what it finds in the table itself. */
function schemaOf(
  operationId: OperationId,
  operation: Operation,
  rules: GenerationRules,
  moreDescription: (() => string) | undefined,
): object {
  const { tag, summary, description, failures, query, body, answer: shape, answerBodies, status = 200 } = operation;
  const params = paramsOf(operation.path);
  const file = answerBodies === undefined ? undefined : { description: 'The file.', type: 'string' };
  const texts = [
    description,
    ...rules.moreDescription(operation),
    ...(failures === undefined ? [] : [failureTable(failures)]),
    ...(moreDescription === undefined ? [] : [moreDescription()]),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description: texts.join('\n\n'),
    security: [{ [rules.credential]: [] }],
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
    response: {
      [status]: file ?? shape ?? { type: 'null', description: 'Done; there is nothing more to say.' },
      ...errorAnswers(errorsOf(operation), rules.errorAnswer),
    },
  };
}

async function answer<Id extends OperationId, Checked, Read>(
  operation: Operation,
  rules: GenerationRules,
  handler: Handler<Id, Checked, Read>,
  incoming: FastifyRequest,
  reply: FastifyReply,
): Promise<Answered<Id> | Readable> {
  const faults = new Faults(rules.mostFaults);
  const idempotencyKey = rules.readsIdempotencyKey ? readIdempotencyKey(incoming, faults) : undefined;
  rules.prepareBody?.(operation, incoming);
  const body =
    handler.readBody === undefined
      ? readShape(operation.body, incoming, faults)
      : await handler.readBody(incoming, faults);
  // Frees the memory of the body, which is not used again. Ten thousand records are worth it.
  if (operation.body !== undefined) incoming.body = undefined;
  rules.checkBody?.(operation, body, faults);
  const envelope = {
    requestId: incoming.id,
    credential: incoming.credential ?? undefined,
    params: incoming.params,
    query: incoming.query,
    idempotencyKey,
    departure: () => departureOf(reply.raw),
    incoming,
    setHeader: (name: string, value: string) => void reply.header(name, value),
  } as Omit<OperationRequest<Id, unknown>, 'body'>;
  const partlyRead = { ...envelope, body: body as PartlyRead<BodyOf<OperationOf<Id>>> } as PartlyReadRequest<Id>;
  const checked = await handler.check?.(partlyRead, faults);
  if (faults.count > 0) {
    await handler.checkFaulty?.(partlyRead, faults);
    throw rules.refusalOf(faults);
  }
  reply.code(operation.status ?? 200);
  // Without faults all of the body was read.
  return handler.handle({ ...envelope, body: body as Read }, checked as Checked);
}

function readShape(shape: TSchema | undefined, request: FastifyRequest, faults: Faults): unknown {
  return shape === undefined ? undefined : readBody(shape, request, faults);
}
