import type { CredentialStore } from '../authentication/credential.ts';
import type { PersonStore } from '../authentication/actor.ts';
import type { Context } from '#platform/context.ts';
import type { FailedAuthentications } from '../authentication/failed-authentications.ts';

/** The shared parts of the routes of an API process. The pipeline adds its acceptor. */
export interface Service {
  readonly context: Context;
  readonly credentials: CredentialStore;
  readonly people: PersonStore;
  readonly failedAuthentications: FailedAuthentications;
  /** The operator token. */
  readonly adminToken: string;
}
