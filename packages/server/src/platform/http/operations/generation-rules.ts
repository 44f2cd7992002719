import { Faults, readerOf } from '@roster/contract';
import { generations, type Generation, type Operation } from '@roster/contract/operations';
import type { FastifyRequest, FastifySchemaCompiler, onRequestAsyncHookHandler } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { BodyTask } from '../bodies/body-task.ts';
import { ApiError, faultText, invalidRequest, refusalOf } from '#platform/errors/api-error.ts';
import { apiv2Error, v3Error, v4Error, v5Error, type ErrorEnvelope } from '../errors/error-envelopes.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { paramsValidator } from './path-parameters.ts';

/** What the operations of a generation have in common on the wire. */
interface OwnRules {
  /** Shapes the body of an error. */
  readonly errorEnvelope: ErrorEnvelope;
  /** Most faults in one answer; default 50. */
  readonly mostFaults?: number;
  /** The error for the faults of a request. */
  readonly refusalOf: (faults: Faults) => ApiError;
  readonly readsIdempotencyKey: boolean;
  /**
   * Paths at which an operation is served. Those that differ from the one in the table are not
   * documented.
   */
  readonly pathsOf: (path: string) => readonly string[];
  /** Runs before the body is received. */
  readonly onRequest?: (operation: Operation) => onRequestAsyncHookHandler[];
  /** Reads the parameters of the path and the query; default: they stay as they are. */
  readonly validatorCompiler?: FastifySchemaCompiler<TSchema>;
  /**
   * What a thread does with a large body; default: reads it in its shape, where the shape allows
   * large ones.
   */
  readonly bodyTask?: (operation: Operation) => ((request: FastifyRequest) => BodyTask) | undefined;
  /** Runs before the body is read. */
  readonly prepareBody?: (operation: Operation, request: FastifyRequest) => void;
  /** Checks a body that was read. */
  readonly checkBody?: (operation: Operation, body: unknown, faults: Faults) => void;
  /** Milliseconds that a handler may take, where the operation does not say it. */
  readonly deadline?: number;
  /** Paragraphs that follow the description of an operation. */
  readonly moreDescription: (operation: Operation) => readonly string[];
}

/** The rules of a generation, with what the contract says about it. */
export interface GenerationRules extends OwnRules {
  /** Name of the security scheme in the OpenAPI document. */
  readonly credential: string;
  /** `$id` of the shape of errors. */
  readonly errorAnswer: string;
}

const plain = {
  refusalOf,
  readsIdempotencyKey: true,
  pathsOf: (path: string) => [path],
  moreDescription: () => [],
};

/** Most faults of an answer of v4: each of a hundred attributes can have one, and all are named. */
export const mostFaultsOfV4 = 150;

const rulesByGeneration: Readonly<Record<Generation, OwnRules>> = {
  operator: {
    ...plain,
    errorEnvelope: v5Error,
    readsIdempotencyKey: false,
    onRequest: ({ body }) => (body === undefined ? [ignoreEmptyBody] : []),
    validatorCompiler: ({ schema, httpPart }) => {
      if (httpPart === 'params') return paramsValidator(schema as TObject);
      return httpPart === 'body' ? (value: unknown) => ({ value }) : queryValidator(schema);
    },
    prepareBody({ body }, request) {
      // Without a body this is null. With `{}` instead, the errors name the missing fields.
      if (body !== undefined) request.body ??= {};
    },
    checkBody({ method, body: shape }, body, faults) {
      if (method !== 'PATCH' || faults.count > 0 || Object.keys(body ?? {}).length > 0) return;
      const fields = Object.keys((shape as TObject).properties).join(', ');
      faults.add('required', `needs at least one of the fields ${fields}`);
    },
  },
  v5: {
    ...plain,
    errorEnvelope: v5Error,
    pathsOf: (path) => [path, withoutVersion(path)],
    onRequest: () => [requireContentType],
    moreDescription: ({ path }) => [`Also served at \`${withoutVersion(path)}\`, without the version segment.`],
  },
  v4: {
    ...plain,
    errorEnvelope: v4Error,
    mostFaults: mostFaultsOfV4,
    onRequest: () => [assumeJson],
    bodyTask: ({ body }) => {
      const { $id } = body as { readonly $id?: string };
      return () => ({ kind: 'shape', shape: $id!, faults: mostFaultsOfV4 });
    },
    deadline: acceptDeadline,
  },
  v3: {
    ...plain,
    errorEnvelope: v3Error,
    // An answer has one message.
    refusalOf: ({ list }) => new ApiError('batch_invalid', { params: { reason: faultText(list[0]!) } }),
    onRequest: () => [assumeJson],
  },
  apiv2: { ...plain, errorEnvelope: apiv2Error, readsIdempotencyKey: false },
};

/** The rules of the generation of an operation. */
export function rulesOf({ generation }: Pick<Operation, 'generation'>): GenerationRules {
  const { credential, errorAnswer } = generations[generation];
  return {
    ...rulesByGeneration[generation],
    credential,
    errorAnswer: (errorAnswer as { readonly $id?: string }).$id!,
  };
}

function withoutVersion(path: string): string {
  return path.replace(/^\/v5/, '');
}

/**
 * Many clients send a content type with every request. Without this, a DELETE of theirs would be
 * refused: its empty body is not valid JSON.
 */
async function ignoreEmptyBody({ headers }: FastifyRequest): Promise<void> {
  const empty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (empty) delete headers['content-type'];
}

/**
 * Requires a content type. Without one the body is not read, and a missing body would not be
 * noticed.
 */
async function requireContentType({ headers }: FastifyRequest): Promise<void> {
  if (headers['content-type'] === undefined) throw new ApiError('unsupported_media_type');
}

/**
 * Reads bodies as JSON when the client left out the content type. curl then sends that of a form,
 * and `fetch` that of a text.
 */
async function assumeJson({ headers }: FastifyRequest): Promise<void> {
  const type = headers['content-type'];
  if (type === undefined || /^(application\/x-www-form-urlencoded|text\/plain)\b/i.test(type)) {
    headers['content-type'] = 'application/json';
  }
}

function queryValidator(shape: TSchema) {
  const read = readerOf(shape);
  return (input: unknown) => {
    const faults = new Faults();
    const value: unknown = read(input, faults);
    return faults.count > 0 ? { error: invalidRequest(faults.list) } : { value };
  };
}
