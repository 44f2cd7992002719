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
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { given } from '#platform/given.ts';
import type { DatabaseTurns } from '#platform/load/database-turns.ts';
import type { BodyTask } from '../bodies/body-task.ts';
import { bodyConfig, readBody } from '../bodies/read-body.ts';
import { disconnectSignal } from '../connection/client-disconnect.ts';
import { ownerOf } from '../connection/request-slot.ts';
import { errorAnswers } from '../errors/error-answers.ts';
import { failureTable } from './failure-table.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { rulesOf, type GenerationRules } from './generation-rules.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { Answered, OperationRequest, PartlyReadRequest } from './request.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The turns in which requests use the database. */
    databaseTurns: DatabaseTurns;
  }
  interface FastifyContextConfig {
    /** The operation of the route, in the table of the contract. */
    operationId?: OperationId;
    /** The caller can wait for the result of the request; see `Operation.waits`. */
    waits?: boolean;
  }
}

/**
 * The handler of one operation of the contract.
 *
 * A request is read, then checked, then handled. One response lists all faults that reading and
 * checking find.
 */
export interface Handler<Id extends OperationId, Checked = undefined, Read = BodyOf<OperationOf<Id>>> {
  /** The task for large bodies; default: read in their shape. */
  readonly bodyTask?: (request: FastifyRequest) => BodyTask;
  /** Reads the body, instead of reading it in its shape. Returns undefined when it adds faults. */
  readBody?(request: FastifyRequest, faults: Faults): Read | undefined | Promise<Read | undefined>;
  /** Checks what no shape can express. It gets the parts that could be read, even with faults. */
  check?(request: PartlyReadRequest<Id>, faults: Faults): Promise<Checked>;
  /** Called only if there are faults already. Adds the faults that {@link handle} would find. */
  checkFaulty?(request: PartlyReadRequest<Id>, faults: Faults): Promise<void>;
  /** Handles a request without faults. `checked` is the result of {@link check}. */
  handle(request: OperationRequest<Id, Read>, checked: Checked): Promise<Answered<Id> | Readable>;
  /** A text that the feature adds to the description of the operation. */
  readonly moreDescription?: () => string;
}

/**
 * Serves an operation of the contract.
 *
 * The operation table defines method, path, shapes and documentation. The generation defines the
 * error envelope and how bodies are read. `app` must be a scope with the authentication of that
 * generation.
 *
 * In the scope of an account below `/admin/v1`, the operations of API keys are served to operators
 * and people, too, if their generation says where and they have no counterpart there.
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
  // Fastify changes the given options, so each route needs its own object.
  const config = () => ({
    operationId: id,
    errorEnvelope: rules.errorEnvelope,
    ...bodyConfig(operation.body, handler.bodyTask ?? rules.bodyTask?.(operation)),
    arrivesSlowly: operation.rawBodies !== undefined,
    storesRequests: storesRequests(operation),
    waits: operation.waits === true,
    ...given({ permission: operation.permission, alternativePermission: operation.alternativePermission, deadline }),
  });
  const isForPeople = app.prefix !== '';
  const pathForPeople = operation.operatorCounterpart === undefined ? rules.pathForPeople?.(path) : undefined;
  const paths = isForPeople
    ? [pathForPeople].filter((url) => url !== undefined)
    : [...rules.pathsOf(path), ...(operation.otherPath === undefined ? [] : [operation.otherPath])];
  for (const url of paths) {
    app.route({
      method: operation.method,
      url,
      ...(rules.validatorCompiler === undefined ? {} : { validatorCompiler: rules.validatorCompiler }),
      ...(rules.onRequest === undefined ? {} : { onRequest: rules.onRequest(operation) }),
      config: config(),
      schema: { ...schemaOf(id, operation, rules, handler.moreDescription), hide: isForPeople || url !== path },
      // An event must not wait for others, to be compressed with them.
      ...(operation.answerBodies?.['text/event-stream'] === undefined ? {} : { compress: false as const }),
      handler: (request, reply) => answer(operation, rules, handler, request, reply),
    });
  }
}

/** Makes the schema from which Fastify makes the OpenAPI document. */
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
    security: rules.credential === 'none' ? [] : [{ [rules.credential]: [] }],
    ...given({ params, querystring: query, body }),
    response: {
      [status]: file ?? shape ?? { type: 'null', description: 'Success. The response has no body.' },
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
  const faults = new Faults(rules.maxFaults);
  const idempotencyKey = rules.readsIdempotencyKey ? readIdempotencyKey(incoming, faults) : undefined;
  rules.prepareBody?.(operation, incoming);
  const body =
    handler.readBody === undefined
      ? readShape(operation.body, incoming, faults)
      : await handler.readBody(incoming, faults);
  // Frees the memory of the body, which can contain ten thousand records.
  if (operation.body !== undefined) incoming.body = undefined;
  rules.checkBody?.(operation, body, faults);
  const envelope = {
    requestId: incoming.id,
    credential: incoming.credential ?? undefined,
    actor: incoming.actor ?? undefined,
    params: incoming.params,
    query: incoming.query,
    idempotencyKey,
    disconnectSignal: () => disconnectSignal(reply.raw),
    incoming,
    setHeader: (name: string, value: string) => void reply.header(name, value),
  } as Omit<OperationRequest<Id, unknown>, 'body'>;
  const partlyRead = { ...envelope, body: body as PartlyRead<BodyOf<OperationOf<Id>>> } as PartlyReadRequest<Id>;
  const handle = async (): Promise<Answered<Id> | Readable> => {
    const checked = await handler.check?.(partlyRead, faults);
    if (faults.count > 0) {
      await handler.checkFaulty?.(partlyRead, faults);
      throw rules.faultsError(faults);
    }
    reply.code(operation.status ?? 200);
    // Without faults, the whole body was read.
    return handler.handle({ ...envelope, body: body as Read }, checked as Checked);
  };
  const result = needsTurn(operation)
    ? await reply.server.databaseTurns.run(ownerOf(incoming), disconnectSignal(reply.raw), handle)
    : await handle();
  return incoming.method === 'HEAD' && result instanceof Readable ? withoutContent(result) : result;
}

/**
 * Returns whether requests of an operation are handled in turns. Operations that store requests have
 * a limit of their own, and an upload takes as long as its client.
 */
function needsTurn(operation: Operation): boolean {
  const { permission, rawBodies } = operation;
  return permission !== undefined && rawBodies === undefined && !storesRequests(operation);
}

/** Closes a stream whose content nobody gets. Fastify would read it to its end, which may not come. */
function withoutContent(stream: Readable): Readable {
  stream.destroy();
  return Readable.from([]);
}

function readShape(shape: TSchema | undefined, request: FastifyRequest, faults: Faults): unknown {
  return shape === undefined ? undefined : readBody(shape, request, faults);
}
