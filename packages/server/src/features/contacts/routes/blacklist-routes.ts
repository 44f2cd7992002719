import { BlacklistContactsBody } from '@roster/contract';
import type { FastifyInstance } from 'fastify';
import { acceptRequest } from '#pipeline/accept/accept-request.ts';
import { credentialOf } from '#platform/http/authentication/api-key.ts';
import { readBody } from '#platform/http/bodies/read-body.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { blacklistRequest, readBlacklistHeaders } from './blacklist.ts';

/**
 * Registers the older call that blacklists contacts (v3). Its request is applied as a create. The scope of
 * `app` must use `useV3Errors`.
 */
export function blacklistRoutes(app: FastifyInstance, service: Service): void {
  serve(app, 'blacklistContacts', {
    readBody(request, faults) {
      const { primaryKey } = credentialOf(request);
      const channel = readBlacklistHeaders(request.headers, primaryKey, faults);
      const { data } = readBody(BlacklistContactsBody, request, faults);
      if (channel === undefined || data === undefined || faults.count > 0) return undefined;
      return blacklistRequest(data, channel, primaryKey);
    },
    handle: async (request) => ({
      message: await acceptRequest(service, request, 'contact.blacklist', request.body, request.body.contacts.length),
      status: 200 as const,
    }),
  });
}
