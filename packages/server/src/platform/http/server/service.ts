import type { CredentialStore } from '../authentication/credential.ts';
import type { Context } from '#platform/context.ts';
import type { FailedAuthentications } from '../authentication/failed-authentications.ts';

/**
 * What the routes of an API process share: the context and the parts with a life of their own. The pipeline adds what stores requests
 * (`declare module`).
 */
export interface Service {
  readonly context: Context;
  readonly credentials: CredentialStore;
  readonly failedAuthentications: FailedAuthentications;
  /** The operator token. */
  readonly adminToken: string;
}
