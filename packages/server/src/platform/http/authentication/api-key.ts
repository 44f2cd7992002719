import type { ApiErrorCode } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import type { Service } from '../server/service.ts';
import { invalidCredential, misplacedCredential } from './authenticate-challenge.ts';
import { hasScope, type Credential } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The credential of the API key; null for operators. */
    credential: Credential | null;
  }
}

/** The errors for a missing and for an invalid API key. */
export interface ApiKeyErrors {
  readonly blank: ApiErrorCode;
  readonly unknown: ApiErrorCode;
}

/** Authenticates all routes of a scope by the header `api-key`, before the body is read. */
export function requireApiKey(
  app: FastifyInstance,
  { credentials, failedAuthentications }: Service,
  errors: ApiKeyErrors = { blank: 'invalid_api_key', unknown: 'invalid_api_key' },
): void {
  app.addHook('onRequest', async (request) => {
    const header = request.headers['api-key'];
    const apiKey = typeof header === 'string' ? header.trim() : '';
    const refusal = (code: ApiErrorCode): ApiError => {
      const hint = apiKey === '' ? misplacedCredential(request, 'header') : undefined;
      return failedAuthentications.fail(request.ip, 'api_key', invalidCredential(code, 'header', hint));
    };
    if (apiKey === '') throw refusal(errors.blank);
    const credential = await credentials.find(apiKey);
    if (credential === undefined) throw refusal(errors.unknown);
    const { permission, alternativePermission } = request.routeOptions.config;
    const enough = [permission, alternativePermission].filter((scope) => scope !== undefined);
    if (enough.length > 0 && !enough.some((scope) => hasScope(credential, scope))) {
      throw new ApiError('missing_scope', { params: { scope: enough.join(' or ') } });
    }
    request.credential = credential;
  });
}

/** Returns the credential of a request with an API key. */
export function credentialOf(request: FastifyRequest): Credential {
  if (request.credential === null) throw new Error('the route is not authenticated');
  return request.credential;
}
