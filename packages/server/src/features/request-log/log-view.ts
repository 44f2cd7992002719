import type { Page, RequestDetail, RequestFailure, RequestSummary } from '@roster/contract';
import type { RequestFailureRow, RequestLogRow } from './log-store.ts';
import { noCounts } from '#pipeline/log/request-counts.ts';

/** Returns a request as the operator API lists it. */
export function requestView(row: RequestLogRow): RequestSummary {
  return {
    request_id: row.request_id,
    operation: row.operation,
    status: row.status ?? 'accepted',
    accepted_at: row.accepted_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    counts: { ...noCounts, ...row.counts, total: row.total },
  };
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
export function requestDetailView(row: RequestLogRow, failures: Page<RequestFailure>): RequestDetail {
  return { ...requestView(row), failures: failures.data, failures_next_cursor: failures.next_cursor };
}
