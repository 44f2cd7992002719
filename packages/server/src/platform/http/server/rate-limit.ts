import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import type { RateLimited } from '../authentication/actor.ts';
import type { Service } from './service.ts';

// The counts of more keys than this may be forgotten within the minute.
const countedKeys = 50_000;

/**
 * Prepares the rate limit of API keys: requests a minute, of all operations together. {@link
 * limitRate} applies it to a scope.
 */
export async function useRateLimit(app: FastifyInstance, { context }: Service): Promise<void> {
  const limitOf = (key: RateLimited | undefined): number =>
    key?.apiKeyId === undefined ? 0 : (key.settings.rate_limit ?? context.config.rateLimit);
  await app.register(rateLimit, {
    // Scopes add the hook themselves, so that all count together.
    global: false,
    cache: countedKeys,
    timeWindow: 60_000,
    enableDraftSpec: true,
    keyGenerator: (request) => String(keyOf(request)?.apiKeyId),
    max: (request) => limitOf(keyOf(request)),
    allowList: (request) => limitOf(keyOf(request)) === 0,
    errorResponseBuilder: (_request, { ttl }) =>
      new ApiError('rate_limited', { params: { seconds: Math.max(1, Math.ceil(ttl / 1000)) } }),
  });
}

/** Limits the rate of the requests of a scope. `hook` must run after the authentication. */
export function limitRate(scope: FastifyInstance, hook: 'preParsing' | 'preHandler'): void {
  const limit = scope.rateLimit();
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    void (await limit.call(scope, request, reply));
  if (hook === 'preParsing') scope.addHook(hook, check);
  else scope.addHook(hook, check);
}

function keyOf({ credential, actor }: FastifyRequest): RateLimited | undefined {
  return actor?.apiKey ?? credential ?? undefined;
}
