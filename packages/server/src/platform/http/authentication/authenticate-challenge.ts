import type { ApiErrorCode } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';

/** How an operation is authenticated: header `api-key`, parameter `apikey`, or operator token. */
export type Scheme = 'header' | 'parameter' | 'operator';

const challenges: Readonly<Record<Scheme, string>> = {
  header: 'ApiKey realm="Roster", header="api-key"',
  parameter: 'ApiKey realm="Roster", parameter="apikey"',
  operator: 'Bearer realm="Roster operator API"',
};

/**
 * Returns advice for a credential in the wrong place; undefined when there is no sign of one. The
 * advice contains no part of the credential.
 */
export function misplacedCredential({ headers, url }: FastifyRequest, scheme: Scheme): string | undefined {
  const place = [
    ...(scheme === 'operator' ? [] : ['authorization']),
    ...(scheme === 'parameter' ? ['api-key'] : []),
    'x-api-key',
    'apikey',
    'api_key',
    'x-apikey',
  ].find((name) => headers[name] !== undefined);
  const { authorization } = headers;
  const lacksBearer = scheme === 'operator' && authorization !== undefined && !/^bearer /i.test(authorization);
  if (lacksBearer) return 'Send the operator token as "Authorization: Bearer <token>", with the word Bearer.';
  const inQuery = scheme !== 'parameter' && /[?&]api[-_]?key=/i.test(url);
  if (place === undefined && !inQuery) return undefined;
  const found =
    place === undefined ? 'in the query' : `in the header ${place === 'authorization' ? 'Authorization' : place}`;
  switch (scheme) {
    case 'header':
      return `Send the API key in the header api-key, not ${found}.`;
    case 'parameter':
      return `Send the API key as the parameter apikey, not ${found}.`;
    case 'operator':
      return `Send the operator token as "Authorization: Bearer <token>", not ${found}.`;
  }
}

/** Returns advice when an API key was sent as a token; otherwise undefined. */
export function apiKeyAsToken(token: string): string | undefined {
  return token.startsWith('rk_')
    ? 'Send the API key in the header api-key. It needs the scope of the operation.'
    : undefined;
}

/** Makes the header `www-authenticate` of a 401, with the advice of {@link misplacedCredential}. */
export function challengeHeaders(scheme: Scheme, hint?: string): Record<string, string> {
  const description = hint === undefined ? '' : `, error_description="${hint.replaceAll('"', "'")}"`;
  return { 'www-authenticate': `${challenges[scheme]}${description}` };
}

/** Makes the error for a missing or invalid credential. */
export function invalidCredential(code: ApiErrorCode, scheme: Scheme, hint: string | undefined): ApiError {
  return new ApiError(code, {
    params: { hint: hint === undefined ? '' : `. ${hint}` },
    headers: challengeHeaders(scheme, hint),
  });
}
