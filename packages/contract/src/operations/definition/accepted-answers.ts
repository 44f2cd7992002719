import { failureKinds } from '../../catalogue/failures.ts';
import { exampleMoment, exampleRequestId } from '../../shapes/common/envelope.ts';
import type { Examples } from './operation.ts';

const accepted = {
  request_id: exampleRequestId,
  code: 200,
  status: 'success',
  description: 'The request was accepted and is processed asynchronously',
};

/** Example answers of the asynchronous operations. */
export const acceptedExamples: Examples = {
  accepted: { summary: 'The request is stored', value: accepted },
  outcome: {
    summary: 'With `Prefer: wait=10`, and applied in time',
    value: {
      ...accepted,
      outcome: {
        status: 'done',
        finished_at: exampleMoment,
        counts: { total: 2, created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 1, warnings: 0 },
        failures: [{ index: 1, code: 'internal', message: failureKinds.internal.message, warning: false }],
        failures_truncated: false,
      },
    },
  },
};
