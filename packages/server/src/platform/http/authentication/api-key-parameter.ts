import type { Readable } from 'node:stream';
import { Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { refuseCompressed } from '../bodies/content-encoding.ts';
import { receiveBody } from '../bodies/receive-body.ts';
import { sendError } from '../errors/errors.ts';
import { findOlderCall } from '../older-calls/older-calls.ts';
import { decodeUtf8 } from '../json/parse-json.ts';
import { readParameters, type Parameters } from '../parameters/parameters.ts';
import type { Service } from '../server/service.ts';
import { challengeHeaders, invalidCredential, misplacedCredential } from './authenticate-challenge.ts';
import { hasScope, type Credential } from './credential.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The parameters of an apiv2 request, as far as they could be read, and their faults. */
    parameters: { readonly read: Parameters; readonly faults: Faults } | null;
  }
}

/**
 * Authenticates the routes of a scope by the parameter `apikey`. The parameter can be in the body,
 * so this happens after the body was read. A fault of the key is 401 and takes precedence over
 * others.
 */
export function requireApiKeyParameter(app: FastifyInstance, service: Service): void {
  app.decorateRequest('parameters', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    refuseCompressed(request.headers);
    const { limits } = request.routeOptions.config.body!;
    // Counted as JSON whatever the format is, because a form has fewer values.
    return (await receiveBody(request, payload, { limits, content: 'json' })).bytes;
  });
  // The content type is ignored, even if Fastify would refuse it.
  app.addHook('onRequest', async ({ headers }) => void (headers['content-type'] = 'application/octet-stream'));
  app.addHook('preValidation', async (request) => {
    const faults = new Faults();
    const query = request.url.split('?').slice(1).join('?');
    const parameters = await readParameters(query, readText(request, faults), faults);
    request.parameters = { read: parameters, faults };
    request.credential = await authenticate(service, request, parameters);
  });
  app.setErrorHandler((error: Error, request, reply) => {
    const isTooLarge = error instanceof ApiError && error.code === 'body_too_large';
    return sendError(isTooLarge ? new ApiError('parameters_too_large') : error, request, reply);
  });
}

function readText({ body }: FastifyRequest, faults: Faults): string {
  if (!Buffer.isBuffer(body)) return '';
  try {
    return decodeUtf8(body);
  } catch {
    faults.add('invalid_format', 'has a body that is not UTF-8');
    return '';
  }
}

async function authenticate(
  { context, credentials, failedAuthentications }: Service,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Credential> {
  const { apikey: given } = parameters;
  const apiKey = typeof given === 'string' ? given.trim() : '';
  const credential = apiKey === '' ? undefined : await credentials.find(apiKey);
  if (credential === undefined) {
    const hint = apiKey === '' ? misplacedCredential(request, 'parameter') : undefined;
    throw failedAuthentications.fail(request.ip, 'api_key', invalidCredential('invalid_apikey', 'parameter', hint));
  }
  const older = findOlderCall(context.features, parameters);
  const scope = older?.permission ?? request.routeOptions.config.permission;
  if (!hasScope(credential, scope)) {
    throw new ApiError('apikey_lacks_scope', { params: { scope: scope! }, headers: challengeHeaders('parameter') });
  }
  return credential;
}
