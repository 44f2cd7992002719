import type { ApiErrorCode } from '../../catalogue/errors.ts';
import type { Operation } from './operation.ts';

/**
 * Returns every error that an operation can return, without duplicates. Errors with the same HTTP
 * status are in the order in which the documentation lists them.
 */
export function errorsOf(operation: Operation): readonly ApiErrorCode[] {
  const { repeat, errors = [] } = operation;
  const own = repeat === 'with-key' ? [...errors, 'idempotency_conflict' as const] : errors;
  return [...new Set(allErrors[operation.generation](operation, own))];
}

/**
 * Returns whether the operation stores its request in the log of the account. Sending a file does
 * not: its rows become requests later.
 */
export function storesRequests({ failures, rawBodies }: Pick<Operation, 'failures' | 'rawBodies'>): boolean {
  return failures !== undefined && rawBodies === undefined;
}

type Errors = readonly ApiErrorCode[];

const withJsonBody = [
  'invalid_json',
  'invalid_request',
  'body_too_large',
  'body_too_complex',
  'body_too_deep',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'too_many_large_bodies',
] as const satisfies Errors;

const ofBodies: ReadonlySet<ApiErrorCode> = new Set(withJsonBody);

const withApiKey = [
  'invalid_json',
  'invalid_request',
  'invalid_api_key',
  'missing_scope',
  'method_not_allowed',
  'unknown_host',
  'body_too_large',
  'body_too_complex',
  'body_too_deep',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'rate_limited',
  'too_many_failed_authentications',
  'too_many_large_bodies',
  'internal',
  'unavailable',
  'database_full',
  'account_unavailable',
  'overloaded',
  'timed_out',
] as const satisfies Errors;

/**
 * Returns the errors of an operation, for each generation. `own` are the errors of the operation
 * itself.
 */
const allErrors: Readonly<Record<Operation['generation'], (operation: Operation, own: Errors) => Errors>> = {
  operator: (operation, own) => [
    ...(operation.body === undefined ? [] : withJsonBody),
    ...(operation.query === undefined ? [] : (['invalid_request'] as const)),
    'invalid_operator_token',
    'missing_permission',
    'cross_site_request',
    'rate_limited',
    'too_many_failed_authentications',
    'method_not_allowed',
    'unknown_host',
    ...(operation.path.includes('{') ? (['not_found'] as const) : []),
    ...inFlight(operation),
    ...(operation.entityTag === 'change' ? (['precondition_failed'] as const) : []),
    ...own,
    'internal',
    'unavailable',
    'database_full',
    ...(operation.path.includes('{account_id}') ? (['account_unavailable'] as const) : []),
    'overloaded',
    'timed_out',
  ],
  'sign-in': (operation, own) => [
    ...(operation.body === undefined ? [] : withJsonBody.filter((code) => code !== 'too_many_large_bodies')),
    ...(operation.method === 'GET' ? [] : (['cross_site_request'] as const)),
    'method_not_allowed',
    'unknown_host',
    ...own,
    'internal',
    'unavailable',
    'database_full',
    'overloaded',
    'timed_out',
  ],
  v5: (operation, own) => [
    ...(operation.body === undefined ? withApiKey.filter((code) => !ofBodies.has(code)) : withApiKey),
    ...(operation.query === undefined ? [] : (['invalid_request'] as const)),
    ...(operation.path.includes('{') ? (['not_found'] as const) : []),
    ...inFlight(operation),
    ...own,
  ],
  v4: (_operation, own) => [...withApiKey, ...own],
  v3: (operation, own) => [
    'batch_api_key_invalid',
    'batch_api_key_blank',
    'missing_scope',
    'too_many_failed_authentications',
    'rate_limited',
    'too_many_large_bodies',
    ...inFlight(operation),
    'method_not_allowed',
    'unknown_host',
    'unsupported_media_type',
    'unsupported_content_encoding',
    'body_too_large',
    'body_too_complex',
    'body_too_deep',
    'invalid_json',
    ...own,
    'internal',
    'overloaded',
  ],
  apiv2: (_operation, own) => [
    'invalid_request',
    ...own,
    'invalid_apikey',
    'apikey_lacks_scope',
    'method_not_allowed',
    'unknown_host',
    'parameters_too_large',
    'body_too_complex',
    'body_too_deep',
    'unsupported_content_encoding',
    'rate_limited',
    'too_many_failed_authentications',
    'internal',
    'unavailable',
    'database_full',
    'account_unavailable',
    'overloaded',
    'timed_out',
  ],
};

function inFlight(operation: Operation): Errors {
  return storesRequests(operation) ? ['too_many_requests_in_flight'] : [];
}
