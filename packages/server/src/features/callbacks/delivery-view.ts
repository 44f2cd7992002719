import {
  deliveryErrors,
  type CallbackMethod,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetail,
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
  const { error_code: code, error_detail: detail } = row;
  const message = code === null ? '' : `${deliveryErrors[code]}${detail === null ? '' : ` (${detail})`}`;
  return {
    attempt: row.attempt,
    started_at: row.started_at.toISOString(),
    duration_ms: row.duration_ms,
    status_code: row.status_code,
    error: code === null ? null : { code, message },
    address: row.address,
  };
}
