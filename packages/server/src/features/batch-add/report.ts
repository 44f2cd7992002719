import type { ItemFailure } from '#pipeline/operations/item-result.ts';
import { errorsPerBatchCallback, failureKinds, type BatchAddError, type BatchAddReport } from '@roster/contract';
import { faultText } from '#platform/errors/api-error.ts';
import type { RequestResult } from '#pipeline/operations/request-result.ts';
import type { BatchJobRow } from './job-store.ts';

/** Returns the report that the callback and the mail of a job contain. */
export function reportOf(job: BatchJobRow, { counts }: RequestResult, errors: BatchAddError[]): BatchAddReport {
  return {
    job_id: job.job_id,
    status: 'completed',
    listid: job.list_id,
    total: counts.total,
    created: counts.created,
    updated: counts.updated + counts.unchanged,
    failed: counts.failed,
    errors,
  };
}

/**
 * Returns the errors of a job in the order of its contacts. If there are too many, failed contacts
 * are kept first, then values that were left out.
 */
export function errorsOf({ failures }: RequestResult, primaryKey: string): BatchAddError[] {
  const all = failures.flatMap((item) =>
    item.failures.map((failure) => ({ warning: item.warnings, error: errorOf(item.index, failure, primaryKey) })),
  );
  const kept = all.length > errorsPerBatchCallback ? all.sort((a, b) => Number(a.warning) - Number(b.warning)) : all;
  return kept
    .slice(0, errorsPerBatchCallback)
    .map(({ error }) => error)
    .sort((a, b) => a.index - b.index);
}

function errorOf(index: number, { code, field, message }: ItemFailure, primaryKey: string): BatchAddError {
  const text = message ?? failureKinds[code].message;
  return {
    index,
    code,
    message: field === undefined ? text : faultText({ field: keyOf(field, primaryKey), message: text }),
  };
}

/** Returns the key that the caller sent for a field of the create request. */
export function keyOf(field: string, primaryKey: string): string {
  if (field === 'identity') return primaryKey;
  if (field.startsWith('audience_details')) return 'listid';
  return field.startsWith('attributes.') ? field.slice('attributes.'.length) : field.toUpperCase();
}
