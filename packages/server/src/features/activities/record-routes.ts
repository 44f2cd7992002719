import { AcceptedAnswer, bodyLimits, RecordActivitiesBody, type Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountParams } from '#features/accounts/account-routes.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serveAdmin } from '#platform/http/operations/admin.ts';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { ndjson, useBulkBodies, type BulkBody } from '#platform/http/bodies/bulk-bodies.ts';
import type { Service } from '#platform/http/server/service.ts';
import { acceptedAnswer } from '#pipeline/accept/accept-request.ts';
import { failuresByOperation } from '#app/worker/failures.ts';
import { recordExamples, recordLines } from './examples.ts';
import { prepareRecords, type PreparedRecords } from './prepare-records.ts';

/** The input of activities (decisions §9); `app` must be a scope of its own, because it reads other bodies than its neighbours. */
export function recordRoutes(app: FastifyInstance, { acceptor, context }: Service): void {
  useBulkBodies(app);
  serveAdmin(app, {
    method: 'POST',
    path: '/accounts/:account_id/activities',
    operationId: 'recordActivities',
    tag: 'Activities',
    summary: 'Record activities',
    description: [
      'Accepts what was sent to people and what they did, 1 to 10,000 records a request. It is stored durably before the answer and applied in the order of acceptance, among the requests of the account; **Requests** shows what became of each record (`created`, or `unchanged` for one that repeats another). To repeat a record, send it as it was: it is known by `identity`, `channel`, `occurred_at` and `id` together.',
      'The body is JSON, or `application/x-ndjson` with one record a line, where faults name the line. Both may be packed with gzip (`Content-Encoding: gzip`); unpacked, a body has at most 16 MiB.',
      'Records may come late and in any order, also for identities that no contact has yet: they show when the contact appears. They follow a contact whose identity changes, and are deleted with it. What happened before such a change may still come under the old identity: it reaches the contact, unless somebody else has that identity now.',
      '`unsubscribe`, `spam` and a `bounce` that is `hard` opt the contact out of `email`, `sms` or `whatsapp`; on `email` it becomes `blacklisted`. One from before the contact last came back to the channel changes nothing. For an identity that no contact has yet, the opt-out applies when the contact appears. Push channels have no opt-out.',
    ].join('\n\n'),
    params: accountParams,
    body: RecordActivitiesBody,
    examples: recordExamples,
    otherBodies: { [ndjson]: recordLines },
    failures: failuresByOperation['activity.record'],
    answer: AcceptedAnswer,
    readBody: readRecords,
    async handle({ requestId, params: { account_id: accountId }, body: { payload, total } }) {
      const operation = 'activity.record';
      await requireAccount(context.db, accountId);
      await acceptor.accept({ accountId, requestId, operation, payload, total, idempotency: undefined });
      context.metrics.accepted.inc({ operation }, total);
      return acceptedAnswer(requestId);
    },
  });
}

/** The records of a body; undefined beside faults. */
async function readRecords({ body }: FastifyRequest, faults: Faults): Promise<PreparedRecords | undefined> {
  if (body instanceof ThreadedBody) return body.take(faults) as PreparedRecords | undefined;
  // There is no body without a content type: then this is the empty object that stands for none.
  const { bytes = Buffer.from('{}'), isLines = false } = body as Partial<BulkBody>;
  return prepareRecords(bytes, { kind: 'records', isLines, isCompressed: false }, bodyLimits.activities, faults);
}
