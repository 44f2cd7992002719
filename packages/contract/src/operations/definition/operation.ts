import type { Static, TObject, TSchema } from 'typebox';
import type { Permission } from '../../shapes/common/permissions.ts';
import type { ApiErrorCode } from '../../catalogue/errors.ts';
import type { FailureCode } from '../../catalogue/failures.ts';
import type { Generation } from './generations.ts';
import type { PathParameter, PathParameterName } from './path-parameters.ts';
import type { Tag } from './tags.ts';

/**
 * What the caller of an operation needs: a permission in the account of the path or of the API key,
 * or one of these:
 *
 * - `any-account`: a permission in some account. The answer has only the accounts of the caller.
 * - `signed-in`: the caller is a person. The operation is about this person only.
 * - `installation`: the operator token, or a person who is an installation administrator.
 */
export type Requirement = Permission | 'any-account' | 'signed-in' | 'installation';

/** Example bodies for the documentation, by a short name. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** Documentation of a body with a media type other than JSON. */
export interface MediaTypeDocs {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
  readonly examples?: Examples;
}

/** A callback that an operation sends when its work has ended. */
export interface CallbackDocs {
  /** OpenAPI runtime expression of its URL, such as `{$request.body#/callbackurl}`. */
  readonly address: string;
  readonly description: string;
  /** Shape of its body. The shape has an `$id`. */
  readonly body: TSchema;
}

/**
 * Whether a client can send a request again when it does not know the outcome of the first one.
 *
 * - `harmless`: yes. The operation only reads, or repeating it changes nothing more.
 * - `with-key`: yes, with the same header `Idempotency-Key`.
 * - `unsafe`: no, except after an answer that says that nothing was done (429).
 */
export type Repeat = 'harmless' | 'with-key' | 'unsafe';

/**
 * One operation of the API. Its key in the table is its id, which is the `operationId` of the
 * OpenAPI document.
 */
export interface Operation<
  Path extends string = string,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  readonly generation: Generation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path, with `{name}` for each parameter. `pathParameters` has the shapes of the parameters.
   */
  readonly path: Path;
  /** Another path at which it is served. The OpenAPI document does not list it. */
  readonly otherPath?: string;
  /** What the caller needs. Only operations without authentication have none. */
  readonly permission?: Requirement;
  /**
   * A caller with this permission in the account may call it, too. The handler then checks which of
   * the two permissions the request needs.
   */
  readonly alternativePermission?: Permission;
  readonly repeat: Repeat;
  /** Heading under which the documentation lists it. */
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /**
   * The answer has the header `ETag`. With `change`, the operation also takes `If-Match`, and fails
   * with `precondition_failed` when the state has changed since.
   */
  readonly entityTag?: 'answer' | 'change';
  /**
   * The caller can wait with `Prefer: wait=N` until the request is applied. Then the answer has the
   * result, if it came in time.
   */
  readonly waits?: true;
  /**
   * An operation of API keys: operators and people use this operation instead, in their own API.
   * Without it, they use the same operation at another path.
   */
  readonly operatorCounterpart?: string;
  readonly query?: Query;
  /** Headers that only this operation reads. The handler reads them itself. */
  readonly headers?: TObject;
  /** Shape of the JSON body. The body of a PATCH must have at least one field. */
  readonly body?: Body;
  /** Example bodies for the documentation. Tests send them. */
  readonly examples?: Examples;
  /** Other forms of the same body, by media type. */
  readonly otherBodies?: Readonly<Record<string, MediaTypeDocs>>;
  /**
   * Instead of {@link body}: the body is a file, by media type. It is streamed, and may take any
   * time to arrive.
   */
  readonly rawBodies?: Readonly<Record<string, MediaTypeDocs>>;
  /** HTTP status of success; default 200. With 204 there is no answer. */
  readonly status?: 200 | 201 | 204;
  /** Shape of the answer. */
  readonly answer?: Answer;
  /** Example answers for the documentation. Default: one made from the examples of the shape. */
  readonly answerExamples?: Examples;
  /** Instead of an answer in JSON: a file, by media type. */
  readonly answerBodies?: Readonly<Record<string, MediaTypeDocs>>;
  /**
   * Errors of this operation only. `errorsOf` adds the errors of the generation and the errors that
   * follow from the other fields.
   */
  readonly errors?: readonly ApiErrorCode[];
  /**
   * Reasons why items can fail after the answer. An operation with this field only stores its
   * request, and a worker applies the items later.
   */
  readonly failures?: readonly FailureCode[];
  readonly callback?: CallbackDocs;
}

/** Defines an operation, and keeps the types of its path, query, body and answer. */
export function operation<
  const Path extends string,
  Query extends TObject,
  Body extends TSchema,
  Answer extends TSchema,
>(definition: Operation<Path, Query, Body, Answer>): Operation<Path, Query, Body, Answer> {
  return definition;
}

/** Names of the parameters in a path. */
type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

/** Type of the path parameters of an operation, after reading. */
export type ParamsOf<One> = One extends { readonly path: infer Path extends string }
  ? { readonly [Name in ParameterNames<Path> & PathParameterName]: PathParameter<Name> }
  : never;

/** Type of the query of an operation, after reading. */
export type QueryOf<One> = One extends { readonly query?: infer Query extends TObject } ? Static<Query> : never;

/** Type of the body of an operation, after reading. */
export type BodyOf<One> = One extends { readonly body?: infer Body extends TSchema } ? Static<Body> : never;

/** Type of the answer of an operation. It is read-only. */
export type AnswerOf<One> = One extends { readonly answer?: infer Answer extends TSchema }
  ? DeepReadonly<Static<Answer>>
  : never;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
