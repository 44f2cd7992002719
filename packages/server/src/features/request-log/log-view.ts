import type { Page, RequestDetail, RequestFailure, RequestOutcome, RequestSummary } from '@roster/contract';
import type { RequestFailureRow, RequestLogRow } from './log-store.ts';
import { noCounts } from '#pipeline/operations/request-counts.ts';

/** Returns a request as the operator API lists it. */
export function requestView(row: RequestLogRow): RequestSummary {
  return {
    request_id: row.request_id,
    operation: row.operation,
    status: row.status ?? 'accepted',
    outcome: outcomeOf(row),
    accepted_at: row.accepted_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    counts: { ...noCounts, ...row.counts, total: row.total },
  };
}

/** Returns the outcome of a request; null until it is finished. */
function outcomeOf({ status, counts, total }: RequestLogRow): RequestOutcome | null {
  if (status === null) return null;
  const failed = counts?.failed ?? 0;
  if (status === 'failed' || (failed > 0 && failed >= total)) return 'all_failed';
  return failed > 0 ? 'some_failed' : 'succeeded';
}

/** Returns a failure as the operator API shows it. */
export function failureView(row: RequestFailureRow): RequestFailure {
  return {
    index: row.item_index,
    code: row.code,
    ...(row.field === null ? {} : { field: row.field }),
    message: row.message,
    warning: row.warning,
  };
}

/** Returns a request with a page of its failures. */
export function requestDetailView(
  row: RequestLogRow,
  codes: RequestDetail['failure_codes'],
  failures: Page<RequestFailure>,
): RequestDetail {
  return {
    ...requestView(row),
    failure_codes: codes,
    failures: failures.data,
    failures_next_cursor: failures.next_cursor,
  };
}
