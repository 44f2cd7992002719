import type { AnswerOf, BodyOf, OperationId, OperationOf, ParamsOf, QueryOf } from '@roster/contract/operations';
import type { PartlyRead } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../authentication/credential.ts';

/** An authenticated request with an API key. Its body was read. */
export interface ApiKeyRequest<Body> {
  readonly requestId: string;
  readonly credential: Credential;
  readonly body: Body;
  /** The value of the header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Makes a signal that aborts when the client disconnects before it has the response. */
  readonly disconnectSignal: () => AbortSignal;
}

/** The credential of an operation: operators have no API key. */
type CredentialOf<Id extends OperationId> = OperationOf<Id>['path'] extends `/admin/${string}` ? undefined : Credential;

/** An authenticated request of an operation. Its parts were read. */
export interface OperationRequest<Id extends OperationId, Body = BodyOf<OperationOf<Id>>> extends Omit<
  ApiKeyRequest<Body>,
  'credential'
> {
  readonly credential: CredentialOf<Id>;
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
