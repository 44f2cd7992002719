import { apiErrors, exampleRequestId, Faults, readerOf, type ApiErrorCode, type Fault } from '@roster/contract';
import type { Examples } from '@roster/contract/operations';
import type { TSchema } from 'typebox';
import { ApiError, invalidRequest } from '#platform/errors/api-error.ts';
import type { ErrorEnvelope } from '../errors/error-envelopes.ts';

/** The input for the error examples of an operation. */
export interface ErrorExampleSource {
  readonly codes: readonly ApiErrorCode[];
  readonly envelope: ErrorEnvelope;
  /** The methods of the path, as in the header `Allow`. */
  readonly allow: string;
  /** The permission that the caller needs. For API keys it is a scope. */
  readonly permission: string | undefined;
  /** The names of the parameters of the path. */
  readonly params: readonly string[];
  readonly query: TSchema | undefined;
  readonly body: TSchema | undefined;
}

/** Makes one example for every error of an operation, by status, exactly as the service sends. */
export function errorExamples(source: ErrorExampleSource): Map<number, Examples> {
  const byStatus = Map.groupBy(new Set(source.codes), (code) => apiErrors[code].status);
  return new Map(
    [...byStatus].map(([status, codes]) => [
      status,
      Object.fromEntries(codes.map((code) => [code, { summary: code, value: errorExample(code, source) }])),
    ]),
  );
}

function errorExample(code: ApiErrorCode, source: ErrorExampleSource): object {
  const faults = faultsOf(code, source);
  const error =
    code === 'invalid_request' ? invalidRequest(faults) : new ApiError(code, { params: sampleParams(code, source) });
  return source.envelope({ requestId: exampleRequestId, status: error.status, description: error.message, faults });
}

function faultsOf(code: ApiErrorCode, source: ErrorExampleSource): readonly Fault[] {
  if (code === 'contact_exists') {
    return [{ code: 'taken', field: 'data.contacts[0].identity', message: 'is the identity of a contact that exists' }];
  }
  return code === 'invalid_request' ? sampleFaults(source) : [];
}

function sampleParams(
  code: ApiErrorCode,
  { allow, permission, params }: ErrorExampleSource,
): Record<string, string | number> {
  switch (code) {
    case 'invalid_json':
      return { reason: 'there is a syntax error at character 27' };
    case 'batch_invalid':
      return { reason: 'data should have at least one contact' };
    case 'malformed_request':
      return { reason: 'its path is not a valid URL' };
    case 'missing_scope':
    case 'apikey_lacks_scope':
      return { scope: permission ?? '' };
    case 'missing_permission':
      return { permission: permission ?? '', place: params.includes('account_id') ? ' in account 1' : '' };
    case 'not_found':
      return { what: notFound(params) };
    case 'method_not_allowed':
      return { method: 'PUT', allow };
    case 'conflict':
      return { reason: conflictReason(params) };
    case 'precondition_failed':
      return { what: `${titleOf(params)} 1` };
    case 'file_too_large':
      return { megabytes: 2048 };
    case 'invalid_api_key':
    case 'invalid_apikey':
    case 'invalid_operator_token':
      return { hint: '' };
    case 'too_many_failed_authentications':
    case 'too_many_sign_ins':
      return { seconds: 42 };
    case 'rate_limited':
      return { seconds: 12 };
    case 'unknown_host':
      return { host: 'example.com' };
    case 'answer_too_large':
      return { rows: 240 };
    case 'bulk_count_changed':
      return { count: 1251, expected: 1250 };
    case 'bulk_too_many_erasures':
      return { count: 12_000, limit: 10_000 };
    case 'too_many_exports':
      return { limit: 20 };
    case 'too_many_searches':
    case 'too_many_large_bodies':
    case 'overloaded':
      return { seconds: 5 };
    case 'timed_out':
    case 'search_timeout':
      return { seconds: 15 };
    default:
      return {};
  }
}

function notFound(params: readonly string[]): string {
  const id = params.at(-1) ?? 'id';
  return `${id.replace(/_id$/, '').replaceAll('_', ' ')} with this ${id}`;
}

/** Returns what the last parameter names, such as `Contact`. */
function titleOf(params: readonly string[]): string {
  const name = (params.at(-1) ?? '').replace(/_id$/, '').replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function conflictReason(params: readonly string[]): string {
  if (params.includes('delivery_id')) return 'The delivery is pending. It is sent without a replay.';
  if (params.includes('import_id')) return 'The import is completed. It can be cancelled only before it has ended.';
  if (params.includes('bulk_change_id')) {
    return 'The bulk change is completed. It can be cancelled only before it has ended.';
  }
  if (params.includes('audience_id')) {
    return 'The list 1 is in use by the segment 4. Change or delete what uses it first.';
  }
  if (params.includes('request_id')) return 'The export is completed. It can be cancelled only before it has ended.';
  if (params.includes('contact_id')) return 'Another contact already has this identity.';
  return 'The primary key can change only while the account has no contacts. This account has contacts.';
}

/** Returns the faults of an obviously wrong request: empty, or with a field of the wrong type. */
function sampleFaults({ body, query }: ErrorExampleSource): readonly Fault[] {
  for (const schema of [body, query]) {
    if (schema === undefined) continue;
    const fields = Object.keys((schema as { properties?: object }).properties ?? {});
    for (const input of [
      {},
      ...fields.map((field) => ({ [field]: 0 })),
      ...fields.map((field) => ({ [field]: 'x' })),
    ]) {
      const faults = new Faults();
      readerOf(schema)(input, faults);
      if (faults.count > 0) return faults.list.slice(0, 2);
    }
  }
  return [];
}
