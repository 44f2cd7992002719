import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { checkRequest, getUserActivity } from './user-activity.ts';

/** Adds the route that returns the activities of one person on a channel. */
export function userActivityRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'getUserActivity', {
    readBody({ parameters }, faults) {
      for (const { code, message, field } of parameters!.faults.list) faults.add(code, message, field);
      return parameters!.read;
    },
    check: async ({ incoming, credential }, faults) => checkRequest(credential, incoming.parameters!.read, faults),
    handle: ({ credential }, request) => getUserActivity(context, credential, request!),
  });
}
