import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';

/** Methods that a callback can be sent with. GET carries the payload in the query, the others in the body. */
export const callbackMethods = ['POST', 'PUT', 'PATCH', 'GET'] as const;

/** A method that a callback can be sent with. */
export type CallbackMethod = (typeof callbackMethods)[number];

/** What a delivery tells about: the end of an export or of a batch add job. */
export const deliverySources = ['export', 'batch'] as const;

/** What a delivery tells about. */
export type DeliverySource = (typeof deliverySources)[number];

/** `pending`: will be tried (again). `delivered`: answered with 2xx. `failed`: given up after 24 hours. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** Status of a delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Every reason why an attempt failed; `docs/errors.md` is generated from it. */
export const deliveryErrors = {
  bad_status: 'The receiver did not return a 2xx status.',
  redirect: 'The receiver returned a redirect. Redirects are not followed. Use the final address.',
  timeout: 'The receiver did not respond within 10 seconds.',
  host_not_found: 'The host name does not resolve to an address.',
  address_refused: 'The address of the host is not public. An operator can allow it with ROSTER_CALLBACK_ALLOW.',
  url_refused: 'The URL is no longer allowed. Its host was removed from ROSTER_CALLBACK_ALLOW.',
  connection_failed: 'The connection failed, or it broke before the response was complete.',
  tls_failed: 'The TLS connection failed. Check that the certificate is valid for the host and has not expired.',
  invalid_response: 'The response is not valid HTTP, or its headers have more than 16 KiB.',
  interrupted: 'The process ended before the outcome was known. Another attempt follows.',
  internal: 'An internal error occurred. The log of the worker says why.',
} as const satisfies Record<string, string>;

/** Why an attempt failed. */
export type DeliveryErrorCode = keyof typeof deliveryErrors;

/** Query of the listing of deliveries. */
export const ListDeliveriesQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...deliveryStatuses], { description: 'Only deliveries of this status.' })),
    source: Type.Optional(Type.Enum([...deliverySources], { description: 'Only deliveries about such a thing.' })),
    source_id: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'Only deliveries about this one: the `request_id` of an export, or the id of a batch job.',
      }),
    ),
  },
  { additionalProperties: false },
);

const moment = (description: string) => Type.String({ format: 'date-time', description });

const deliveryProperties = {
  delivery_id: Type.String({
    format: 'uuid',
    description: 'The receiver gets it as `X-Roster-Delivery`, the same in every attempt.',
    examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a12'],
  }),
  source: Type.Enum([...deliverySources], { description: 'What it tells about.' }),
  source_id: Type.String({
    format: 'uuid',
    description: 'The `request_id` of the export, or the id of the batch job.',
  }),
  method: Type.Enum([...callbackMethods]),
  url: Type.String({ examples: ['https://hooks.example.com/roster'] }),
  status: Type.Enum([...deliveryStatuses], {
    description:
      '`pending`: will be tried, or tried again. `delivered`: answered with 2xx. `failed`: given up after 24 hours.',
  }),
  attempts: Type.Integer({ minimum: 0, description: 'Attempts that were begun, those before a replay included.' }),
  next_attempt_at: Type.Union([moment('When it is tried next, or a moment that is just over.'), Type.Null()], {
    description: 'Null once it is finished.',
  }),
  created_at: moment('When the thing happened that it tells about.'),
  finished_at: Type.Union([moment('When it was delivered or given up.'), Type.Null()]),
};

/** One attempt to send a delivery. */
export const DeliveryAttempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1, description: 'Number of the attempt, from 1, over all replays.' }),
    started_at: moment('When it began.'),
    duration_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Milliseconds until the outcome was known; null while it is under way, and when it was cut off.',
    }),
    status_code: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the answer; null when there was none.',
      examples: [503],
    }),
    error: Type.Union(
      [
        Type.Object({
          code: Type.Enum(Object.keys(deliveryErrors), { description: 'Stable code; docs/errors.md lists them.' }),
          message: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'Why it failed; null when it did not, or is under way.' },
    ),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'The IP address that was connected to; null when there was no connection.',
      examples: ['203.0.113.7'],
    }),
  },
  { $id: 'DeliveryAttempt', description: 'One attempt to send a callback.' },
);

/** A delivery as the operator API lists it. */
export const Delivery = Type.Object(deliveryProperties, {
  $id: 'Delivery',
  description: 'A callback and the state of its delivery.',
});

/** A delivery with all its attempts. */
export const DeliveryDetail = Type.Object(
  {
    ...deliveryProperties,
    header_names: Type.Array(Type.String(), {
      description: 'Names of the headers that the caller added. Their values can be secrets and are never shown.',
      examples: [['Authorization']],
    }),
    body: Type.String({
      description: 'The body as it is sent and signed. Empty for `GET`: `url` then has the fields in its query.',
    }),
    attempt_log: Type.Array(Type.Ref('DeliveryAttempt'), { description: 'Every attempt, the first one first.' }),
  },
  { $id: 'DeliveryDetail', description: 'A callback with its body and every attempt.' },
);

/** What the callbacks of an account are signed with. */
export const SigningSecret = Type.Object(
  {
    secret: Type.String({
      description: 'Key of the HMAC, as text.',
      examples: ['whsec_Jq1dU0vS1hkWZ0bXQ8n3cG5oXqk2vN7mB4tYxR9aLpE'],
    }),
    created_at: moment('When it was made.'),
    previous: Type.Union(
      [Type.Object({ secret: Type.String(), expires_at: moment('Until when it signs too.') }), Type.Null()],
      { description: 'The secret before, while it signs beside the new one: for 24 hours after a rotation.' },
    ),
  },
  { $id: 'SigningSecret', description: 'The secret that signs the callbacks of an account.' },
);

export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>;
export type Delivery = Static<typeof Delivery>;
export type SigningSecret = Static<typeof SigningSecret>;

/** One attempt as it is answered. */
export interface DeliveryAttempt {
  readonly attempt: number;
  readonly started_at: string;
  readonly duration_ms: number | null;
  readonly status_code: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly address: string | null;
}

/** One delivery with its attempts as it is answered. */
export interface DeliveryDetail extends Delivery {
  readonly header_names: readonly string[];
  readonly body: string;
  readonly attempt_log: readonly DeliveryAttempt[];
}
