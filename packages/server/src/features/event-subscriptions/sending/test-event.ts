import type { EventTestResult } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { attemptErrorView } from '#features/callbacks/delivery-view.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';
import { bodyOf } from './compose.ts';
import { sendBody } from './send-batch.ts';

/** Sends a test event to the receiver of a subscription once, and returns the outcome. */
export async function sendTestEvent(context: Context, row: SubscriptionRow): Promise<EventTestResult> {
  const now = context.now();
  const deliveryId = context.newId();
  // It has the present position, so that a receiver that stores positions does not go back.
  const event = {
    position: row.position,
    kind: 'test' as never,
    contact_id: null,
    occurred_at: now.toISOString(),
    request_id: null,
    details: {},
  };
  const body = bodyOf('test', row, [event], now);
  const { stored } = await sendBody(context, row, deliveryId, body, new AbortController().signal);
  return {
    delivery_id: deliveryId,
    delivered: stored.errorCode === null,
    status_code: stored.statusCode,
    duration_ms: stored.durationMs,
    error: attemptErrorView(stored.errorCode, stored.errorDetail),
  };
}
