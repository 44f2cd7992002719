import type { FastifyInstance, FastifyRequest } from 'fastify';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { credentialOf } from '#platform/http/authentication/api-key.ts';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { serve } from '#platform/http/operations/serve.ts';
import type { Service } from '#platform/http/server/service.ts';
import { createBatchAcceptor } from './accept-batch.ts';
import { prepareBatch, type BatchTask, type PreparedBatch } from './prepare-batch.ts';

/** Registers the batch add. The scope of `app` must use `useV3Errors`. */
export function batchAddRoutes(app: FastifyInstance, { context }: Service): void {
  const accept = createBatchAcceptor(context);
  serve(app, 'batchAddContacts', {
    bodyTask: taskOf,
    readBody: (request, faults) =>
      request.body instanceof ThreadedBody
        ? (request.body.take(faults) as PreparedBatch)
        : prepareBatch(request.body, taskOf(request)),
    handle: async ({ requestId, credential, body: batch, idempotencyKey }) => ({
      message: await accept({ requestId, credential, batch, idempotencyKey }),
      status: 200 as const,
    }),
  });
}

function taskOf(request: FastifyRequest): BatchTask {
  const { primaryKey, settings } = credentialOf(request);
  return {
    kind: 'batch',
    primaryKey,
    rejectsExisting: effectiveSettings(settings).reject_existing_contacts,
    isKeyed: request.headers['idempotency-key'] !== undefined,
  };
}
