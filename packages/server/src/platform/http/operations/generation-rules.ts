import { Faults, readerOf } from '@roster/contract';
import { generations, type Generation, type Operation } from '@roster/contract/operations';
import type { FastifyRequest, FastifySchemaCompiler, onRequestAsyncHookHandler } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { BodyTask } from '../bodies/body-task.ts';
import { hasBody } from '../bodies/unread-bodies.ts';
import { ApiError, faultText, invalidRequest, faultsError } from '#platform/errors/api-error.ts';
import { apiv2Error, v3Error, v4Error, v5Error, type ErrorEnvelope } from '../errors/error-envelopes.ts';
import { acceptDeadline } from '../server/deadline.ts';
import { paramsValidator } from './path-parameters.ts';

/** The rules that all operations of a generation share. */
interface OwnRules {
  /** Shapes the body of an error. */
  readonly errorEnvelope: ErrorEnvelope;
  /** Maximum number of faults in one response; default 50. */
  readonly maxFaults?: number;
  /** Makes the error for the faults of a request. */
  readonly faultsError: (faults: Faults) => ApiError;
  readonly readsIdempotencyKey: boolean;
  /** The paths of an operation. Only the path in the operation table is documented. */
  readonly pathsOf: (path: string) => readonly string[];
  /**
   * The path below `/admin/v1/accounts/{account_id}` at which operators and people use an operation
   * of API keys. Default: they cannot.
   */
  readonly pathForPeople?: (path: string) => string;
  /** Runs before the body is received. */
  readonly onRequest?: (operation: Operation) => onRequestAsyncHookHandler[];
  /** Reads the parameters of the path and the query; default: they stay unchanged. */
  readonly validatorCompiler?: FastifySchemaCompiler<TSchema>;
  /** The task for large bodies; default: read in their shape, if the shape allows large bodies. */
  readonly bodyTask?: (operation: Operation) => ((request: FastifyRequest) => BodyTask) | undefined;
  /** Runs before the body is read. */
  readonly prepareBody?: (operation: Operation, request: FastifyRequest) => void;
  /** Checks a body that was read. */
  readonly checkBody?: (operation: Operation, body: unknown, faults: Faults) => void;
  /** Milliseconds that a handler may take, unless the operation sets its own deadline. */
  readonly deadline?: number;
  /** Paragraphs that are added to the description of an operation. */
  readonly moreDescription: (operation: Operation) => readonly string[];
}

/** The rules of a generation, with its entry in the contract. */
export interface GenerationRules extends OwnRules {
  /** Name of the security scheme in the OpenAPI document. */
  readonly credential: string;
  /** `$id` of the shape of errors. */
  readonly errorAnswer: string;
}

const plain = {
  faultsError,
  readsIdempotencyKey: true,
  pathsOf: (path: string) => [path],
  moreDescription: () => [],
};

/** Maximum number of faults in a v4 response: enough to name each of a hundred attributes. */
export const maxFaultsOfV4 = 150;

/** Reads parameters by their shapes. Bodies are read later, by {@link readBody}. */
const readParameters: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'params') return paramsValidator(schema as TObject);
  return httpPart === 'body' ? (value: unknown) => ({ value }) : queryValidator(schema);
};

/** The rules of the operator API, which the sign-in shares. */
const operator: OwnRules = {
  ...plain,
  errorEnvelope: v5Error,
  readsIdempotencyKey: false,
  onRequest: ({ body }) => (body === undefined ? [ignoreEmptyBody] : []),
  validatorCompiler: readParameters,
  prepareBody({ body }, request) {
    // Without a body, this is null. With `{}`, the errors name the missing fields.
    if (body !== undefined) request.body ??= {};
  },
  checkBody({ method, body: shape }, body, faults) {
    if (method !== 'PATCH' || faults.count > 0 || Object.keys(body ?? {}).length > 0) return;
    const fields = Object.keys((shape as TObject).properties).join(', ');
    faults.add('required', `needs at least one of the fields ${fields}`);
  },
};

const rulesByGeneration: Readonly<Record<Generation, OwnRules>> = {
  operator,
  'sign-in': operator,
  v5: {
    ...plain,
    errorEnvelope: v5Error,
    pathsOf: (path) => [path, withoutVersion(path)],
    pathForPeople: withoutVersion,
    onRequest: ({ body }) => (body === undefined ? [] : [requireContentType]),
    validatorCompiler: readParameters,
    moreDescription: ({ path, permission, operatorCounterpart }) => [
      `Also served at \`${withoutVersion(path)}\`, without the version segment.`,
      operatorCounterpart === undefined
        ? `Operators and people use it at \`/admin/v1/accounts/{account_id}${withoutVersion(path)}\`, with the permission \`${permission}\`. See **Operators**.`
        : `Operators and people use \`${operatorCounterpart}\` instead.`,
    ],
  },
  v4: {
    ...plain,
    errorEnvelope: v4Error,
    maxFaults: maxFaultsOfV4,
    onRequest: () => [assumeJson],
    bodyTask: ({ body }) => {
      const { $id } = body as { readonly $id?: string };
      return () => ({ kind: 'shape', shape: $id!, faults: maxFaultsOfV4 });
    },
    deadline: acceptDeadline,
  },
  v3: {
    ...plain,
    errorEnvelope: v3Error,
    // A response has one message.
    faultsError: ({ list }) => new ApiError('batch_invalid', { params: { reason: faultText(list[0]!) } }),
    onRequest: () => [assumeJson],
  },
  apiv2: { ...plain, errorEnvelope: apiv2Error, readsIdempotencyKey: false },
};

/** Returns the rules of the generation of an operation. */
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
 * Removes the content type of a request without a body. Many clients always send one, and then the
 * empty body would be refused as invalid JSON.
 */
async function ignoreEmptyBody(request: FastifyRequest): Promise<void> {
  if (!hasBody(request)) delete request.headers['content-type'];
}

/** Requires a content type. Without it, Fastify would not notice that the body is missing. */
async function requireContentType({ headers }: FastifyRequest): Promise<void> {
  if (headers['content-type'] === undefined) throw new ApiError('unsupported_media_type');
}

/**
 * Reads a body as JSON when the client set no content type. Then curl sends the type of a form, and
 * `fetch` sends the type of a text.
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
