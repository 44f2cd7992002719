import type { Delivery, DeliveryDetail } from '@roster/contract';
import { deliveryErrors } from '@roster/contract';
import type { Examples } from '#platform/http/openapi/operation-docs.ts';

const delivered: Delivery = {
  delivery_id: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a12',
  source: 'export',
  source_id: '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11',
  method: 'POST',
  url: 'https://hooks.example.com/roster',
  status: 'delivered',
  attempts: 2,
  next_attempt_at: null,
  created_at: '2026-01-31T09:00:00.000Z',
  finished_at: '2026-01-31T09:00:07.312Z',
};

const detail: DeliveryDetail = {
  ...delivered,
  header_names: ['Authorization'],
  body: '{"request_id":"019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11","status":"completed","callbackBody":{"campaign":7}}',
  attempt_log: [
    {
      attempt: 1,
      started_at: '2026-01-31T09:00:00.021Z',
      duration_ms: 84,
      status_code: 503,
      error: { code: 'bad_status', message: deliveryErrors.bad_status },
      address: '203.0.113.7',
    },
    {
      attempt: 2,
      started_at: '2026-01-31T09:00:07.230Z',
      duration_ms: 82,
      status_code: 204,
      error: null,
      address: '203.0.113.7',
    },
  ],
};

/** Answers with deliveries, for the documentation. */
export const deliveryExamples = {
  list: { delivered: { summary: 'One page with one callback', value: { data: [delivered], next_cursor: null } } },
  detail: { delivered: { summary: 'Delivered by the second attempt', value: detail } },
  replay: {
    pending: {
      summary: 'It will be sent again',
      value: { ...delivered, status: 'pending', next_attempt_at: '2026-01-31T10:00:00.000Z', finished_at: null },
    },
  },
} satisfies Record<string, Examples>;
