import type { FastifyInstance } from 'fastify';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { addAccountFaults, requestExport } from '../request/request-export.ts';

const description = 'The export request was created';

/** Registers the operation that requests an export (v4). */
export function exportRoutes(app: FastifyInstance, { context }: Service): void {
  serve(app, 'exportAudience', {
    checkFaulty: ({ credential, body }, faults) => addAccountFaults(context, credential, body, faults),
    async handle(request) {
      const request_id = await requestExport(context, request);
      return {
        data: { status: 'success' as const, description, request_id },
        message: description,
        statusCode: 200 as const,
      };
    },
  });
}
