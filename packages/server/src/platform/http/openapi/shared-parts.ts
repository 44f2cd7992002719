import { exampleRequestId, longestWait, type ApiErrorCode } from '@roster/contract';
import type { Parameter } from './document.ts';

/** The header that makes it safe to repeat an asynchronous operation. */
export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat a request. The same key, account and operation within 24 hours returns the first `request_id` and applies nothing new. The same key with another body is refused with 409.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
};

/** The header that makes a change only if nobody changed the same thing before. */
export const ifMatchParameter: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the state that you read. If the state has changed since, the answer is 412 with the present state, and nothing is changed.',
  schema: { type: 'string', pattern: '^"[0-9]{1,15}"$' },
};

/** The header with which a caller waits for the result of a request. */
export const preferParameter: Parameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: `With \`wait=N\`, the answer comes when the request is applied, at the latest N seconds after the service received this call. The longest wait is ${longestWait} seconds. Values that cannot be read and other preferences are ignored (RFC 7240).`,
  schema: { type: 'string' },
  example: 'wait=10',
};

const integerHeader = (description: string, example: number): object => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

const textHeader = (description: string, example: string): object => ({
  description,
  schema: { type: 'string' },
  example,
});

/** The described headers of responses, by name. */
export const sharedHeaders = {
  'X-Request-Id': {
    description:
      'Identifier of the request in the log of the service. It is also the `request_id` of the body, with one exception: a repeat with the same `Idempotency-Key` has the `request_id` of the first request in its body.',
    schema: { type: 'string', format: 'uuid' },
    example: exampleRequestId,
  },
  'Retry-After': integerHeader('Seconds after which to try again.', 12),
  'RateLimit-Limit': integerHeader('Requests in a minute that the API key may send to one process.', 600_000),
  'RateLimit-Remaining': integerHeader('Requests that the API key may still send in this minute.', 599_999),
  'RateLimit-Reset': integerHeader('Seconds until the minute ends.', 60),
  ETag: textHeader('The version of the state. Send it as `If-Match` with a change.', '"1769850000000"'),
  'Preference-Applied': textHeader('The wait that was granted, if the caller sent `Prefer: wait=N`.', 'wait=10'),
  Allow: textHeader('The methods of the path.', 'POST'),
  'WWW-Authenticate': textHeader(
    'How to authenticate. If the key was in the wrong place, `error_description` names the right place.',
    'ApiKey realm="Roster", header="api-key"',
  ),
};

/** The name of a described header. */
export type SharedHeader = keyof typeof sharedHeaders;

/** The headers that an error adds to its response. */
export const errorHeaders: Partial<Record<ApiErrorCode, readonly SharedHeader[]>> = {
  invalid_operator_token: ['WWW-Authenticate'],
  sign_in_failed: ['WWW-Authenticate'],
  invalid_api_key: ['WWW-Authenticate'],
  invalid_apikey: ['WWW-Authenticate'],
  apikey_lacks_scope: ['WWW-Authenticate'],
  batch_api_key_blank: ['WWW-Authenticate'],
  batch_api_key_invalid: ['WWW-Authenticate'],
  too_many_failed_authentications: ['Retry-After'],
  too_many_sign_ins: ['Retry-After'],
  method_not_allowed: ['Allow'],
  precondition_failed: ['ETag'],
  rate_limited: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  unavailable: ['Retry-After'],
  overloaded: ['Retry-After'],
  timed_out: ['Retry-After'],
  batch_server_not_found: ['Retry-After'],
};

/** The headers of every response that are described. */
export const commonHeaders: readonly SharedHeader[] = ['X-Request-Id'];

/** The headers of responses of a rate-limited operation. */
export const rateLimitHeaders: readonly SharedHeader[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
