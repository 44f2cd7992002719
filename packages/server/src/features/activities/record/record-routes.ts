import { bodyLimits, type Faults } from '@roster/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { serve } from '#platform/http/operations/serve.ts';
import { ThreadedBody } from '#platform/http/bodies/body-threads.ts';
import { useBulkBodies, type BulkBody } from '#platform/http/bodies/bulk-bodies.ts';
import type { Service } from '#platform/http/server/service.ts';
import { splitByOf } from '#pipeline/accept/split-by.ts';
import { acceptedAnswer } from '#pipeline/accept/accept-request.ts';
import { prepareRecords, type PreparedRecords } from './prepare-records.ts';

/** Serves `recordActivities`. Give it its own scope of `app`, because it reads other body types. */
export function recordRoutes(app: FastifyInstance, { acceptor, context }: Service): void {
  useBulkBodies(app);
  serve(app, 'recordActivities', {
    readBody: readRecords,
    async handle({ requestId, params: { account_id: accountId }, body: { payload, total } }) {
      const operation = 'activity.record';
      const { primary_key: primaryKey, settings } = await requireAccount(context.db, accountId);
      const splitBy = splitByOf({ primaryKey, settings });
      await acceptor.accept({ accountId, requestId, operation, payload, total, idempotency: undefined, splitBy });
      context.metrics.accepted.inc({ operation }, total);
      return acceptedAnswer(requestId);
    },
  });
}

/** Returns the records of a body, or undefined if there are faults. */
async function readRecords({ body }: FastifyRequest, faults: Faults): Promise<PreparedRecords | undefined> {
  if (body instanceof ThreadedBody) return body.take(faults) as PreparedRecords | undefined;
  // A request without a content type has no body. Read it as an empty object, to report its faults.
  const { bytes = Buffer.from('{}'), isLines = false } = body as Partial<BulkBody>;
  return prepareRecords(bytes, { kind: 'records', isLines, isCompressed: false }, bodyLimits.activities, faults);
}
