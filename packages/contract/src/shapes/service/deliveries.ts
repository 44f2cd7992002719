import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';
import { moment } from '../common/fields.ts';

/**
 * Limits of a callback. Common servers refuse a request line or headers of more than 8,000 characters.
 */
export const callbackLimits = {
  /** Characters of the URL, after percent-encoding. */
  urlLength: 2000,
  headers: 50,
  /** Characters of the names and values of all headers. */
  headerCharacters: 8000,
} as const;

/** HTTP methods of callbacks. `GET` has the payload in the query, the other methods in the body. */
export const callbackMethods = ['POST', 'PUT', 'PATCH', 'GET'] as const;

/** An HTTP method of callbacks. */
export type CallbackMethod = (typeof callbackMethods)[number];

/** What a delivery reports: the end of an export or of a batch add job. */
const deliverySources = ['export', 'batch'] as const;

/** What a delivery reports. */
export type DeliverySource = (typeof deliverySources)[number];

/** States of a delivery. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

/** Status of a delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/**
 * Every reason why an attempt to send a delivery can fail. `docs/errors.md` is generated from this
 * table.
 */
export const deliveryErrors = {
  bad_status: 'The receiver did not return a 2xx status.',
  redirect: 'The receiver returned a redirect. Roster does not follow redirects. Use the final URL.',
  timeout: 'The receiver did not respond within 10 seconds.',
  host_not_found: 'The host name does not resolve to an address.',
  address_refused: 'The address of the host is not public. An operator can allow it with ROSTER_CALLBACK_ALLOW.',
  url_refused: 'The URL is no longer allowed. Its host was removed from ROSTER_CALLBACK_ALLOW.',
  connection_failed: 'The connection failed, or it broke before the response was complete.',
  tls_failed: 'The TLS connection failed. Check that the certificate is valid for the host and has not expired.',
  invalid_response: 'The response is not valid HTTP, or its headers have more than 16 KiB.',
  events_expired: 'The events of the delivery were deleted, because they are older than the retention time.',
  interrupted: 'The process ended before the outcome was known. Another attempt follows.',
  internal: 'An internal error occurred. The log of the worker says why.',
} as const satisfies Record<string, string>;

/** Code of the reason why an attempt failed. */
export type DeliveryErrorCode = keyof typeof deliveryErrors;

/** Query of listing deliveries. */
export const ListDeliveriesQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...deliveryStatuses], { description: 'Only deliveries of this status.' })),
    source: Type.Optional(
      Type.Enum([...deliverySources], { description: 'Only deliveries about exports, or only about batch jobs.' }),
    ),
    source_id: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$',
        description: 'Only deliveries about one export (its `request_id`) or one batch job (its id).',
      }),
    ),
  },
  { additionalProperties: false },
);

const deliveryProperties = {
  delivery_id: Type.String({
    format: 'uuid',
    description: 'Identifier of the delivery. Every attempt sends it as the header `X-Roster-Delivery`.',
    examples: ['019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a12'],
  }),
  source: Type.Enum([...deliverySources], {
    description: 'The reported event: the end of an export or of a batch job.',
  }),
  source_id: Type.String({
    format: 'uuid',
    description: 'The `request_id` of the export, or the id of the batch job.',
  }),
  method: Type.Enum([...callbackMethods]),
  url: Type.String({ examples: ['https://hooks.example.com/roster'] }),
  status: Type.Enum([...deliveryStatuses], {
    description:
      '`pending`: waits for its next attempt. `delivered`: the receiver returned 2xx. `failed`: all attempts in 24 hours failed.',
  }),
  attempts: Type.Integer({
    minimum: 0,
    description: 'Number of attempts that were started, including attempts before a replay.',
  }),
  next_attempt_at: Type.Union([moment('Time of the next attempt. It can be in the past for a moment.'), Type.Null()], {
    description: 'Time of the next attempt. Null when the delivery has ended.',
  }),
  created_at: moment('When the reported event happened.'),
  finished_at: Type.Union([moment('When it was delivered or given up.'), Type.Null()]),
};

/** One attempt to send a delivery. */
export const DeliveryAttempt = Type.Object(
  {
    attempt: Type.Integer({ minimum: 1, description: 'Number of the attempt, from 1. Replays continue the count.' }),
    started_at: moment('When it began.'),
    duration_ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Milliseconds until the outcome was known. Null while the attempt is running, or if it was interrupted.',
    }),
    status_code: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the response. Null when there was no response.',
      examples: [503],
    }),
    error: Type.Union(
      [
        Type.Object({
          code: Type.Enum(Object.keys(deliveryErrors), { description: 'Stable code. docs/errors.md lists all codes.' }),
          message: Type.String(),
        }),
        Type.Null(),
      ],
      { description: 'Why the attempt failed. Null if it did not fail, or is running.' },
    ),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'IP address of the receiver. Null when there was no connection.',
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
      description:
        'The body as it is sent and signed. It is empty for `GET`, because `url` then has the fields in its query.',
    }),
    attempt_log: Type.Array(Type.Ref('DeliveryAttempt'), { description: 'Every attempt, oldest first.' }),
  },
  { $id: 'DeliveryDetail', description: 'A callback with its body and every attempt.' },
);

/** The secret that signs the callbacks of an account. */
export const SigningSecret = Type.Object(
  {
    secret: Type.String({
      description: 'Key of the HMAC. For `X-Roster-Signature`, use the text as it is.',
      examples: ['whsec_Jq1dU0vS1hkWZ0bXQ8n3cG5oXqk2vN7mB4tYxR9aLpE='],
    }),
    created_at: moment('When the secret was created.'),
    previous: Type.Union(
      [Type.Object({ secret: Type.String(), expires_at: moment('When it stops signing callbacks.') }), Type.Null()],
      {
        description: 'The previous secret. It also signs callbacks for 24 hours after a rotation. Null at other times.',
      },
    ),
  },
  { $id: 'SigningSecret', description: 'The secret that signs the callbacks of an account.' },
);

export type ListDeliveriesQuery = Static<typeof ListDeliveriesQuery>;
export type Delivery = Static<typeof Delivery>;
export type SigningSecret = Static<typeof SigningSecret>;

/** One attempt in an answer. */
export interface DeliveryAttempt {
  readonly attempt: number;
  readonly started_at: string;
  readonly duration_ms: number | null;
  readonly status_code: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly address: string | null;
}

/** One delivery with its attempts, in an answer. */
export interface DeliveryDetail extends Delivery {
  readonly header_names: readonly string[];
  readonly body: string;
  readonly attempt_log: readonly DeliveryAttempt[];
}
