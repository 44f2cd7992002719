import type { AnswerOf, BodyOf, OperationId, OperationOf, ParamsOf, QueryOf } from '@roster/contract/operations';
import type { PartlyRead } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../authentication/credential.ts';

/** A request of an operation with an API key, authenticated and read. */
export interface ApiKeyRequest<Body> {
  readonly requestId: string;
  readonly credential: Credential;
  readonly body: Body;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
  /** Makes a signal that is aborted when the client goes away before it is answered. */
  readonly departure: () => AbortSignal;
}

/** Operators have no API key. */
type CredentialOf<Id extends OperationId> = OperationOf<Id>['path'] extends `/admin/${string}` ? undefined : Credential;

/** A request of an operation, authenticated and read. */
export interface OperationRequest<Id extends OperationId, Body = BodyOf<OperationOf<Id>>> extends Omit<
  ApiKeyRequest<Body>,
  'credential'
> {
  readonly credential: CredentialOf<Id>;
  readonly params: ParamsOf<OperationOf<Id>>;
  readonly query: QueryOf<OperationOf<Id>>;
  /** The request as it came, for operations whose bodies are files. */
  readonly incoming: FastifyRequest;
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void;
}

/**
 * A request of an operation of which not everything could be read: parts with faults are absent.
 */
export type PartlyReadRequest<Id extends OperationId> = OperationRequest<Id, PartlyRead<BodyOf<OperationOf<Id>>>>;

/** What an operation answers with: nothing where the table has no answer. */
export type Answered<Id extends OperationId> = AnswerOf<OperationOf<Id>>;
