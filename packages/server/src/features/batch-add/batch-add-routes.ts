import { BatchAddAnswer, BatchAddBody, Faults, type ApiErrorCode } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { faultText } from '#platform/errors/api-error.ts';
import { acceptDeadline } from '#platform/http/server/deadline.ts';
import { errorAnswers } from '#platform/http/errors/error-answers.ts';
import { v3Error } from '#platform/http/errors/error-envelopes.ts';
import { readIdempotencyKey } from '#platform/http/operations/idempotency-key.ts';
import { failureTable } from '#platform/http/openapi/failure-table.ts';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { bodyConfig } from '#platform/http/bodies/read-body.ts';
import type { Service } from '#platform/http/server/service.ts';
import { assumeJson } from '#platform/http/operations/v4.ts';
import { credentialOf } from '#platform/http/operations/v5.ts';
import { failuresByOperation } from '#app/worker/failures.ts';
import { createBatchAcceptor } from './accept-batch.ts';
import { invalid } from './envelope.ts';
import { batchAddExamples } from './examples.ts';
import { prepareBatch, type BatchTask, type PreparedBatch } from './prepare-batch.ts';

/** In the order in which they are looked for. */
const errors = [
  'batch_api_key_invalid',
  'batch_api_key_blank',
  'missing_scope',
  'too_many_failed_authentications',
  'rate_limited',
  'too_many_large_bodies',
  'too_many_requests_in_flight',
  'method_not_allowed',
  'unknown_host',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'body_too_large',
  'body_too_complex',
  'body_too_deep',
  'invalid_json',
  'batch_listid_invalid',
  'batch_too_large',
  'batch_primarykey_invalid',
  'batch_receivers_invalid',
  'batch_data_invalid',
  'batch_invalid',
  'batch_list_unknown',
  'batch_primarykey_differs',
  'batch_server_not_found',
  'batch_limit_reached',
  'idempotency_conflict',
  'internal',
  'overloaded',
] as const satisfies readonly ApiErrorCode[];

/** Batch add (interface §4.5, decisions §7); the scope of `app` must answer errors by `useV3Errors`. */
export function batchAddRoutes(app: FastifyInstance, { context }: Service): void {
  const accept = createBatchAcceptor(context);
  app.route({
    method: 'POST',
    url: '/v3/contact/batchadd',
    config: {
      scope: 'contacts:write',
      errorEnvelope: v3Error,
      storesRequests: true,
      ...bodyConfig(BatchAddBody, taskOf),
      docs: {
        examples: batchAddExamples,
        errors,
        callback: {
          address: '{$request.body#/callbackurl}',
          description: 'Sent once, when the job has ended.',
          shape: 'BatchAddReport',
        },
      },
      deadline: acceptDeadline,
    },
    onRequest: assumeJson,
    schema: {
      operationId: 'batchAddContacts',
      tags: ['Batch add'],
      summary: 'Add contacts to a list',
      description: [
        'Accepts 1 to 1000 contacts for one list. They are applied like those of a create request: a contact whose primary key exists is merged, and all join the list. `message` of the answer is the identifier of the job.',
        'When the job has ended, `callbackurl` gets a POST with `{job_id, status: "completed", listid, total, created, updated, failed, errors: [{index, code, message}]}`, signed and tried again like every callback, and `notifyemail` a mail with the same facts. total = created + updated + failed; `errors` has at most 1000 entries: why contacts failed, and what was left out of others.',
        'Of a request with several faults the first in the order of the error table is answered. An account may send `daily_batch_limit` requests in a day of its time zone. The content type may be left out.',
        failureTable(failuresByOperation['contact.batch-add']),
      ].join('\n\n'),
      security: [{ apiKey: [] }],
      body: BatchAddBody,
      response: { 200: BatchAddAnswer, ...errorAnswers(errors, 'BatchAddErrorAnswer') },
    },
    async handler(request) {
      const faults = new Faults();
      const { body } = request;
      const batch =
        body instanceof ThreadedBody ? (body.take(faults) as PreparedBatch) : prepareBatch(body, taskOf(request));
      const idempotencyKey = readIdempotencyKey(request, faults);
      if (faults.count > 0) throw invalid(faultText(faults.list[0]!));
      const credential = credentialOf(request);
      return { message: await accept({ requestId: request.id, credential, batch, idempotencyKey }), status: 200 };
    },
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
