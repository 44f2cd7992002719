import type { ApiErrorCode } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';

/** How an operation is authenticated: by the header `api-key`, the parameter `apikey`, or an operator token. */
export type Scheme = 'header' | 'parameter' | 'operator';

const challenges: Readonly<Record<Scheme, string>> = {
  header: 'ApiKey realm="Roster", header="api-key"',
  parameter: 'ApiKey realm="Roster", parameter="apikey"',
  operator: 'Bearer realm="Roster operator API"',
};

/**
 * What to do when the credential came in another place than the operation expects; undefined when nothing tells so. It repeats nothing of
 * the credential.
 */
export function misplacedCredential({ headers, url }: FastifyRequest, scheme: Scheme): string | undefined {
  const place = [
    ...(scheme === 'operator' ? [] : ['authorization']),
    ...(scheme === 'header' ? [] : ['api-key']),
    'x-api-key',
    'apikey',
    'api_key',
    'x-apikey',
  ].find((name) => headers[name] !== undefined);
  const { authorization } = headers;
  const lacksBearer = scheme === 'operator' && authorization !== undefined && !/^bearer /i.test(authorization);
  if (lacksBearer) return 'Send the operator token as "Authorization: Bearer <token>", not without the word Bearer.';
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

/** What to do when an API key was sent as the operator token; undefined for anything else. */
export function apiKeyAsToken(token: string): string | undefined {
  return token.startsWith('rk_') ? 'Send the operator token. This is an API key.' : undefined;
}

/** The header `www-authenticate` of a 401, with the hint of {@link misplacedCredential}. */
export function challengeHeaders(scheme: Scheme, hint?: string): Record<string, string> {
  const description = hint === undefined ? '' : `, error_description="${hint.replaceAll('"', "'")}"`;
  return { 'www-authenticate': `${challenges[scheme]}${description}` };
}

/** The error of a request without a valid credential. */
export function invalidCredential(code: ApiErrorCode, scheme: Scheme, hint: string | undefined): ApiError {
  return new ApiError(code, {
    params: { hint: hint === undefined ? '' : `. ${hint}` },
    headers: challengeHeaders(scheme, hint),
  });
}
