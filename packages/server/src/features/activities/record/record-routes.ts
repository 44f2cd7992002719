import { bodyLimits, type Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { useBulkBodies, type BulkBody } from '#platform/http/bodies/bulk-bodies.ts';
import type { Service } from '#platform/http/server/service.ts';
import { acceptedAnswer } from '#pipeline/accept/accept-request.ts';
import { prepareRecords, type PreparedRecords } from './prepare-records.ts';

/** The input of activities; `app` must be a scope of its own, because it reads other bodies than its neighbours. */
export function recordRoutes(app: FastifyInstance, { acceptor, context }: Service): void {
  useBulkBodies(app);
  serve(app, 'recordActivities', {
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
