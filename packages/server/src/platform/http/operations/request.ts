import type { AnswerOf, BodyOf, OperationId, OperationOf, ParamsOf, QueryOf } from '@roster/contract/operations';
import type { PartlyRead } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../authentication/actor.ts';
import type { Credential } from '../authentication/credential.ts';

/** A request for an account, with an API key or of another caller. Its body was read. */
export interface ApiKeyRequest<Body> {
  readonly requestId: string;
  readonly credential: Credential;
  readonly body: Body;
  /** The value of the header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Makes a signal that aborts when the client disconnects before it has the response. */
  readonly disconnectSignal: () => AbortSignal;
}

/** Whether an operation belongs to the operator API. */
type IsOperator<Id extends OperationId> = OperationOf<Id>['path'] extends `/admin/${string}` ? true : false;

/** An authenticated request of an operation. Its parts were read. */
export interface OperationRequest<Id extends OperationId, Body = BodyOf<OperationOf<Id>>> extends Omit<
  ApiKeyRequest<Body>,
  'credential'
> {
  /** The credential of the account. Operator operations have an {@link actor} instead. */
  readonly credential: IsOperator<Id> extends true ? undefined : Credential;
  /** The caller of an operator operation. */
  readonly actor: IsOperator<Id> extends true ? Actor : undefined;
  readonly params: ParamsOf<OperationOf<Id>>;
  readonly query: QueryOf<OperationOf<Id>>;
  /** The request of Fastify, for operations whose bodies are files. */
  readonly incoming: FastifyRequest;
  /** Sets a header of the response. */
  readonly setHeader: (name: string, value: string) => void;
}

/** A request of which some parts have faults. These parts are absent. */
export type PartlyReadRequest<Id extends OperationId> = OperationRequest<Id, PartlyRead<BodyOf<OperationOf<Id>>>>;

/** The response of an operation; undefined when the contract has none. */
export type Answered<Id extends OperationId> = AnswerOf<OperationOf<Id>>;
