import type { operations } from './operation-table.ts';
import type { Queries, Shapes } from './shapes.ts';
import type { Page } from './listing.ts';

/**
 * One operation of the interface, as the OpenAPI document has it under the same name.
 *
 * `repeat` says whether it may be sent again when nobody knows what became of it: `harmless` reads, or leaves the same behind however often it
 * is done; `with-key` is repeated under the same `Idempotency-Key`, which the client makes; `unsafe` is repeated only where the service says
 * that it did nothing (429).
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly credential: 'apiKey' | 'apiKeyParameter' | 'operatorToken';
  readonly query?: keyof Queries;
  readonly body?: keyof Shapes;
  /** Shape of the answer; without it and `page` there is none. */
  readonly answer?: keyof Shapes;
  /** Shape of one row, where the answer is a page of them. */
  readonly page?: keyof Shapes;
  readonly repeat: 'harmless' | 'with-key' | 'unsafe';
}

/** Name of an operation: its operationId. */
export type OperationId = keyof typeof operations;

type Places<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

/** Values for the places of the path of an operation. */
export type PathOf<Id extends OperationId> = {
  readonly [Name in Places<(typeof operations)[Id]['path']>]: string | number;
};

/** Body of an operation. */
export type BodyOf<Id extends OperationId> = (typeof operations)[Id] extends { body: infer Name extends keyof Shapes }
  ? Shapes[Name]
  : undefined;

/** Query of an operation. */
export type QueryOf<Id extends OperationId> = (typeof operations)[Id] extends {
  query: infer Name extends keyof Queries;
}
  ? Queries[Name]
  : undefined;

/** Answer of an operation: nothing where it has none. */
export type AnswerOf<Id extends OperationId> = (typeof operations)[Id] extends { page: infer Name extends keyof Shapes }
  ? Page<Shapes[Name]>
  : (typeof operations)[Id] extends { answer: infer Name extends keyof Shapes }
    ? Shapes[Name]
    : void;
