import type { CredentialStore } from '../authentication/credential.ts';
import type { Context } from '#platform/context.ts';
import type { FailedAuthentications } from '../authentication/failed-authentications.ts';
import type { Acceptor } from '#pipeline/accept/accept.ts';

/** What the routes of an API process share: the context and the parts with a life of their own. */
export interface Service {
  readonly context: Context;
  readonly credentials: CredentialStore;
  /** Stores requests for the pipeline. */
  readonly acceptor: Acceptor;
  readonly failedAuthentications: FailedAuthentications;
  /** The operator token. */
  readonly adminToken: string;
}
