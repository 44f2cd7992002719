import {
  Delivery,
  DeliveryDetail,
  ListDeliveriesQuery,
  SigningSecret,
  deliveryErrors,
} from '../../shapes/service/deliveries.ts';
import { pageAnswer } from '../../shapes/common/paging.ts';
import { operation, type Examples } from '../definition/operation.ts';

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

/** Example answers. */
const deliveryExamples = {
  list: { delivered: { summary: 'A page with one callback', value: { data: [delivered], next_cursor: null } } },
  detail: { delivered: { summary: 'Delivered by the second attempt', value: detail } },
  replay: {
    pending: {
      summary: 'It will be sent again',
      value: { ...delivered, status: 'pending', next_attempt_at: '2026-01-31T10:00:00.000Z', finished_at: null },
    },
  },
} satisfies Record<string, Examples>;

/** Callbacks: their deliveries, and the secret that signs them. */
export const callbackOperations = {
  listDeliveries: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/deliveries',
    permission: 'callbacks:read',
    repeat: 'harmless',
    tag: 'Deliveries',
    summary: 'List deliveries',
    description:
      'Lists the callbacks of the account, newest first. Finished callbacks are kept for `ROSTER_DELIVERY_RETENTION_DAYS` days.',
    query: ListDeliveriesQuery,
    answer: pageAnswer('Delivery'),
    answerExamples: deliveryExamples.list,
  }),

  getDelivery: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/deliveries/{delivery_id}',
    permission: 'callbacks:read',
    repeat: 'harmless',
    tag: 'Deliveries',
    summary: 'Get a delivery',
    description:
      'Returns one callback with its body and every attempt to send it. An attempt shows its time, its duration, and the status of the response or the error. The values of the headers that the caller added are not shown, only their names.',
    answer: DeliveryDetail,
    answerExamples: deliveryExamples.detail,
  }),

  replayDelivery: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/deliveries/{delivery_id}/replay',
    permission: 'callbacks:write',
    repeat: 'unsafe',
    tag: 'Deliveries',
    summary: 'Send a delivery again',
    description:
      'Sends a delivered or failed callback again. The URL, the body and `X-Roster-Delivery` stay the same. The signature is new. Roster retries it for another 24 hours.',
    answer: Delivery,
    answerExamples: deliveryExamples.replay,
    errors: ['conflict'],
  }),

  getSigningSecret: operation({
    generation: 'operator',
    method: 'GET',
    path: '/admin/v1/accounts/{account_id}/signing-secret',
    permission: 'callbacks:write',
    repeat: 'harmless',
    tag: 'Deliveries',
    summary: 'Get the signing secret',
    description:
      'Returns the secret that signs the callbacks of the account. Give it to the receivers, so that they can verify the signature. `docs/callbacks.md` shows how.',
    answer: SigningSecret,
  }),

  rotateSigningSecret: operation({
    generation: 'operator',
    method: 'POST',
    path: '/admin/v1/accounts/{account_id}/signing-secret/rotate',
    permission: 'callbacks:write',
    repeat: 'unsafe',
    tag: 'Deliveries',
    summary: 'Rotate the signing secret',
    description:
      'Creates a new signing secret. For 24 hours, callbacks carry two signatures, one by each secret, so that receivers can switch without a gap. If you rotate again within this time, the oldest secret ends at once.',
    answer: SigningSecret,
  }),
};
