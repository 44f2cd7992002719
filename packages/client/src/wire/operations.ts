import type { operations } from './operation-table.ts';
import type { Queries, Shapes } from './shapes.ts';
import type { Page } from './listing.ts';

/**
 * An operation of the API. Its name is the operationId in the OpenAPI document.
 *
 * `repeat` says whether a request with an unknown outcome may be sent again:
 *
 * - `harmless`: yes. The operation reads, or repeating it changes nothing.
 * - `with-key`: yes, with the same `Idempotency-Key`.
 * - `unsafe`: no. The request is repeated only after status 429, because it was not processed.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly credential: 'apiKey' | 'apiKeyParameter' | 'operatorToken' | 'none';
  readonly query?: keyof Queries;
  readonly body?: keyof Shapes;
  /** Shape of the response. Without `answer` and `page`, the response has no body. */
  readonly answer?: keyof Shapes;
  /** Shape of one row, if the response is a page. */
  readonly page?: keyof Shapes;
  readonly repeat: 'harmless' | 'with-key' | 'unsafe';
}

/** The operationId of an operation. */
export type OperationId = keyof typeof operations;

type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/** The path parameters of an operation, except those that are given elsewhere. */
export type PathOf<Id extends OperationId, Given extends string = never> = {
  readonly [Name in Exclude<PathParameters<(typeof operations)[Id]['path']>, Given>]: string | number;
};

/** The body of an operation. */
export type BodyOf<Id extends OperationId> = (typeof operations)[Id] extends { body: infer Name extends keyof Shapes }
  ? Shapes[Name]
  : undefined;

/** The query of an operation. */
export type QueryOf<Id extends OperationId> = (typeof operations)[Id] extends {
  query: infer Name extends keyof Queries;
}
  ? Queries[Name]
  : undefined;

/** The result of an operation; void if its response has no body. */
export type AnswerOf<Id extends OperationId> = (typeof operations)[Id] extends { page: infer Name extends keyof Shapes }
  ? Page<Shapes[Name]>
  : (typeof operations)[Id] extends { answer: infer Name extends keyof Shapes }
    ? Shapes[Name]
    : void;

/** The operations that return a page of rows. */
export type ListingId = {
  [Id in OperationId]: AnswerOf<Id> extends Page<unknown> ? Id : never;
}[OperationId];

/** One row of an operation that returns a page. */
export type RowOf<Id extends ListingId> = AnswerOf<Id> extends Page<infer Row> ? Row : never;
