import type { FastifyInstance } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { hasScope } from '#platform/http/authentication/credential.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { listAudiences } from './list-audiences.ts';
import { readDateRange } from './read-date-range.ts';

/** The scope that each type of audience needs. */
const scopes = { list: 'lists:read', segment: 'segments:read' } as const;

const description = 'Audiences found';

/** Registers the operation that lists lists or segments (v4). */
export function olderAudienceRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'listAudiences', {
    check: async ({ body, credential }, faults) =>
      readDateRange(body, { now: context.now().getTime(), timeZone: credential.timeZone }, faults),
    async handle({ body, credential, requestId, disconnectSignal }, updated) {
      const scope = scopes[body.audience_type];
      if (!hasScope(credential, scope)) throw new ApiError('missing_scope', { params: { scope } });
      const page = await listAudiences(context, credential, { body, updated, signal: disconnectSignal() });
      return {
        data: { status: 'success' as const, description, request_id: requestId, ...page },
        message: description,
        statusCode: 200 as const,
      };
    },
  });
}
