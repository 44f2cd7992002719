import {
  deliveryErrors,
  type CallbackMethod,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
  type DeliveryErrorCode,
} from '@roster/contract';
import { hideSignatures } from '#platform/text/hide-signatures.ts';
import type { DeliveryAttemptRow, DeliveryRow, DeliverySummaryRow } from './store/delivery-store.ts';

/**
 * A delivery as the operator API lists it. Without `unmasked`, its links open no file: the file of
 * an export can have unmasked values.
 */
export function deliveryView(row: DeliverySummaryRow, unmasked: boolean): Delivery {
  return {
    delivery_id: row.delivery_id,
    source: row.source,
    source_id: row.source_id,
    method: row.method as CallbackMethod,
    url: shown(row.url, unmasked),
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/**
 * A delivery with its attempts. The values of the caller's headers are left out: they can be
 * secret.
 */
export function deliveryDetailView(
  row: DeliveryRow,
  attempts: readonly DeliveryAttemptRow[],
  unmasked: boolean,
): DeliveryDetail {
  return {
    ...deliveryView(row, unmasked),
    header_names: row.headers.map(([name]) => name),
    body: shown(row.body, unmasked),
    attempt_log: attempts.map(attemptView),
  };
}

function shown(text: string, unmasked: boolean): string {
  return unmasked ? text : hideSignatures(text);
}

function attemptView(row: DeliveryAttemptRow): DeliveryAttempt {
  return {
    attempt: row.attempt,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    error: attemptErrorView(row.error_code, row.error_detail),
    address: row.address,
  };
}

/** Returns the failure of an attempt as the operator API shows it. */
export function attemptErrorView(code: DeliveryErrorCode | null, detail: string | null) {
  if (code === null) return null;
  return { code, message: `${deliveryErrors[code]}${detail === null ? '' : ` (${detail})`}` };
}
