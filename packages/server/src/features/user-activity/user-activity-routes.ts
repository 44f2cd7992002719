import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { getUserActivity, readQuestion } from './user-activity.ts';

/** The user channel activity export. */
export function userActivityRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'getUserActivity', {
    readBody({ parameters }, faults) {
      for (const { code, message, field } of parameters!.faults.list) faults.add(code, message, field);
      return parameters!.read;
    },
    check: async ({ incoming, credential }, faults) => readQuestion(credential, incoming.parameters!.read, faults),
    handle: ({ credential }, question) => getUserActivity(context, credential, question!),
  });
}
