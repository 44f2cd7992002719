import type { Readable } from 'node:stream';
import { Faults, UserActivityAnswer, UserActivityBody, userActivityDays, UserActivityQuery } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Credential } from '#platform/http/authentication/credential.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import {
  challengeHeaders,
  invalidCredential,
  misplacedCredential,
} from '#platform/http/authentication/authenticate-challenge.ts';
import { errorAnswers } from '#platform/http/errors/error-answers.ts';
import { apiv2Error } from '#platform/http/errors/error-envelopes.ts';
import { sendError } from '#platform/http/errors/errors.ts';
import { packingOf } from '#platform/http/bodies/content-encoding.ts';
import { decodeUtf8 } from '#platform/http/json/parse-json.ts';
import { bodyConfig } from '#platform/http/bodies/read-body.ts';
import { receiveBody } from '#platform/http/bodies/receive-body.ts';
import type { Service } from '#platform/http/server/service.ts';
import { credentialOf } from '#platform/http/operations/v5.ts';
import { userActivityAnswerExamples, userActivityExamples, userActivityOtherBodies } from './examples.ts';
import { readParameters, type UserActivityParameters } from './parameters.ts';
import { getUserActivity } from './user-activity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the user activity operation: the parameters as far as they could be read, and what is wrong with them. */
    userActivity: { readonly parameters: UserActivityParameters; readonly faults: Faults } | null;
  }
}

const errors = [
  'invalid_request',
  'too_many_activities',
  'invalid_apikey',
  'apikey_lacks_scope',
  'method_not_allowed',
  'unknown_host',
  'parameters_too_large',
  'body_too_complex',
  'body_too_deep',
  'unsupported_content_encoding',
  'rate_limited',
  'too_many_failed_authentications',
  'internal',
  'unavailable',
  'overloaded',
  'timed_out',
] as const;

/**
 * Authenticates the routes of a scope by the parameter `apikey`, which can be in the body: so it happens after that was read. Every fault of
 * the key is 401, and comes before any other (decisions §6).
 */
export function requireApiKeyParameter(app: FastifyInstance, service: Service): void {
  app.decorateRequest('userActivity', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    if (packingOf(request.headers) !== 'none') throw new ApiError('unsupported_content_encoding');
    const { limits } = request.routeOptions.config.body!;
    // Counted as JSON, whatever it is: a form has less to count.
    return (await receiveBody(request, payload, { limits, content: 'json' })).bytes;
  });
  // What the type says does not matter, also where it is none that Fastify would take.
  app.addHook('onRequest', async ({ headers }) => void (headers['content-type'] = 'application/octet-stream'));
  app.addHook('preValidation', async (request) => {
    const faults = new Faults();
    const query = request.url.split('?').slice(1).join('?');
    const parameters = await readParameters(query, readText(request, faults), faults);
    request.userActivity = { parameters, faults };
    request.credential = await authenticate(service, request, parameters.apikey);
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
  { credentials, failedAuthentications }: Service,
  request: FastifyRequest,
  given: unknown,
): Promise<Credential> {
  const apiKey = typeof given === 'string' ? given.trim() : '';
  const credential = apiKey === '' ? undefined : await credentials.find(apiKey);
  if (credential === undefined) {
    const hint = apiKey === '' ? misplacedCredential(request, 'parameter') : undefined;
    throw failedAuthentications.fail(request.ip, 'api_key', invalidCredential('invalid_apikey', 'parameter', hint));
  }
  const { scope } = request.routeOptions.config;
  if (scope !== undefined && !credential.scopes.has(scope)) {
    throw new ApiError('apikey_lacks_scope', { params: { scope }, headers: challengeHeaders('parameter') });
  }
  return credential;
}

/** The user channel activity export (interface §4.4); the scope of `app` must be authenticated by {@link requireApiKeyParameter}. */
export function userActivityRoutes(app: FastifyInstance, { context }: Service): void {
  app.route({
    method: 'POST',
    url: '/apiv2',
    config: {
      scope: 'activity:read',
      errorEnvelope: apiv2Error,
      ...bodyConfig(UserActivityBody),
      docs: {
        examples: userActivityExamples,
        otherBodies: userActivityOtherBodies,
        answerExamples: userActivityAnswerExamples,
        errors,
      },
    },
    schema: {
      operationId: 'getUserActivity',
      tags: ['Activities'],
      summary: 'Get the activity of a person',
      description: [
        `Answers what was sent to one person on one channel, and what the person did, in at most ${userActivityDays} days: the answer to a data-subject access request. Needs an API key with the scope \`activity:read\`. A person that is not known has no activities, which is no error.`,
        'The parameters `type`, `activity`, `apikey` and `data` are taken from the query or from the body; the query wins. The body is read by what it looks like, whatever its content type says: as JSON, as a form (URL-encoded or in parts), or as the text `data={…}`, percent-encoded or not. Proxies write addresses into their logs: a key is safer in the body.',
        'Days are those of the time zone of the account. Activities of a person whose identity changed are found by the new one; those of a deleted contact are gone.',
      ].join('\n\n'),
      security: [{ apiKeyParameter: [] }],
      querystring: UserActivityQuery,
      body: UserActivityBody,
      response: { 200: UserActivityAnswer, ...errorAnswers(errors, 'UserActivityErrorAnswer') },
    },
    async handler(request) {
      const { parameters, faults } = request.userActivity!;
      return getUserActivity(context, credentialOf(request), parameters, faults);
    },
  });
}
