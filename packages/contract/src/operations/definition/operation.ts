import type { Static, TObject, TSchema } from 'typebox';
import type { Scope } from '../../shapes/service/accounts.ts';
import type { ApiErrorCode, FailureCode } from '../../catalogue/errors.ts';
import type { Generation } from './generations.ts';
import type { PathParameter, PathParameterName } from './path-parameters.ts';

/** Bodies for the documentation, by a short name. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** A body in a media type other than JSON, as the documentation shows it. */
export interface MediaTypeDocs {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
  readonly examples?: Examples;
}

/** A callback that an operation sends when its work has ended. */
export interface CallbackDocs {
  /** Runtime expression of OpenAPI for its address, such as `{$request.body#/callbackurl}`. */
  readonly address: string;
  readonly description: string;
  /** Shape of its body; it has an `$id`. */
  readonly body: TSchema;
}

/**
 * Whether an operation may be sent again when the outcome of the first request is unknown.
 *
 * - `harmless`: it reads, or leaves the same state however often it is sent.
 * - `with-key`: it takes the header `Idempotency-Key`, and is repeated under the same key.
 * - `unsafe`: it is repeated only after an answer that says that nothing was done (429).
 */
export type Repeat = 'harmless' | 'with-key' | 'unsafe';

/**
 * One operation of the interface. Its key in the table is its id, the `operationId` of the OpenAPI
 * document.
 */
export interface Operation<
  Path extends string = string,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  readonly generation: Generation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for each parameter; `pathParameters` has their shapes. */
  readonly path: Path;
  /**
   * Scope that the API key needs. Operations of operators have none: the operator token permits all
   * of them.
   */
  readonly scope?: Scope;
  readonly repeat: Repeat;
  /** Heading under which the documentation lists it. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: Query;
  /** Shape of the JSON body. A PATCH needs at least one field of it. */
  readonly body?: Body;
  /** Request bodies for the documentation. Tests send them. */
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
  /** Answers for the documentation; default: one made of the examples on the shape. */
  readonly answerExamples?: Examples;
  /** Instead of an answer in JSON: a file, by media type. */
  readonly answerBodies?: Readonly<Record<string, MediaTypeDocs>>;
  /**
   * Errors besides those of its generation and those that follow from its other fields; see
   * `errorsOf`.
   */
  readonly errors?: readonly ApiErrorCode[];
  /**
   * Why items can fail after the answer. An operation that has it only stores its request; a worker
   * applies the items later.
   */
  readonly failures?: readonly FailureCode[];
  readonly callback?: CallbackDocs;
}

/** Checks the fields of an operation, and keeps the types of its path, query, body and answer. */
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

/** The parameters of the path of an operation, read. */
export type ParamsOf<One> = One extends { readonly path: infer Path extends string }
  ? { readonly [Name in ParameterNames<Path> & PathParameterName]: PathParameter<Name> }
  : never;

/** The query of an operation, read. */
export type QueryOf<One> = One extends { readonly query?: infer Query extends TObject } ? Static<Query> : never;

/** The body of an operation, read. */
export type BodyOf<One> = One extends { readonly body?: infer Body extends TSchema } ? Static<Body> : never;

/** The answer of an operation. Nothing in it is changed once it is made. */
export type AnswerOf<One> = One extends { readonly answer?: infer Answer extends TSchema }
  ? DeepReadonly<Static<Answer>>
  : never;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
