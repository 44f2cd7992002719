import type { ExportAudienceBody, Faults, PartlyRead } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import type { ExportCallback } from '#platform/database/schema/tables/exports.ts';
import { checkCallbackHeaders, type CallbackHeader } from '#features/callbacks/destination/callback-headers.ts';
import { checkCallbackUrl } from '#features/callbacks/destination/callback-url.ts';
import { encodedValue, queryBodyMaxLength } from '#features/callbacks/destination/query-callback.ts';

type CallbackDetails = PartlyRead<ExportAudienceBody['callback_details']>;
type HeaderItem = NonNullable<ExportAudienceBody['callback_details']['header']>[number];

/**
 * Reads the callback of a request; null without an endpoint.
 *
 * Checks the URL and the headers now, so that a callback that can never be sent is refused. Checks
 * the headers even without an endpoint.
 */
export function readCallback(
  { config }: Pick<Context, 'config'>,
  { method = 'POST', endpoint = '', header = [], body = {} }: CallbackDetails,
  faults: Faults,
): ExportCallback | null {
  const headers = readHeaders(header, faults);
  if (endpoint === '') return null;
  if (method === 'GET' && encodedValue(body).length > queryBodyMaxLength) {
    faults.add(
      'too_long',
      `must have at most ${queryBodyMaxLength} characters as a query parameter. Use the method POST to send more`,
      'callback_details.body',
    );
  }
  const before = faults.count;
  const url = checkCallbackUrl(endpoint, { allow: config.callbackAllow, plainHttp: false }, faults);
  faults.prefix(before, 'callback_details.endpoint');
  if (url === undefined) return null;
  return { method, endpoint: url.href, headers: headers.map(({ name, value }) => [name, value]), body };
}

interface PlacedHeader extends CallbackHeader {
  /** Path of the header in the request. */
  readonly place: string;
}

/**
 * Reads the headers. An item can have these forms:
 * - `{"X-Token": value}`, with one or more headers
 * - `{"key": name, "value": value}`, or `name` instead of `key`
 * - `{}`
 */
function readHeaders(items: NonNullable<CallbackDetails['header']>, faults: Faults): PlacedHeader[] {
  const headers = items.flatMap((item, index) =>
    item === undefined ? [] : headersOf(item as HeaderItem, `callback_details.header[${index}]`, faults),
  );
  const before = faults.count;
  checkCallbackHeaders(headers, faults);
  faults.replaceFields(before, (field) => placeOf(field, headers));
  return headers;
}

/** Converts the index of a header in a fault to the path of the header in the request. */
function placeOf(field: string, headers: readonly PlacedHeader[]): string {
  const index = /^\[(\d+)\]/.exec(field)?.[1];
  return index === undefined ? 'callback_details.header' : headers[Number(index)]!.place;
}

function headersOf(item: HeaderItem, place: string, faults: Faults): PlacedHeader[] {
  const entries = Object.entries(item);
  const parts = new Map(entries.map(([key, value]) => [key.toLowerCase(), value]));
  const nameKey = ['key', 'name'].find((key) => parts.has(key));
  if (nameKey === undefined || !parts.has('value')) {
    return entries.flatMap(([name, value]) => headerOf(name, value, `${place}.${name}`, faults));
  }
  // Ignore other keys, such as `type` and `description`, which some tools add.
  const [name, value] = [parts.get(nameKey), parts.get('value')];
  // A web form with empty fields sends this item. Ignore it.
  if (isBlank(name) && isBlank(value)) return [];
  if (typeof name === 'string') return headerOf(name, value, place, faults);
  faults.add('invalid_type', 'must be a string, such as "X-Token"', `${place}.${nameKey}`);
  return [];
}

function headerOf(name: string, value: HeaderItem[string] | undefined, place: string, faults: Faults): PlacedHeader[] {
  if (value !== null && value !== undefined) return [{ name: name.trim(), value: String(value).trim(), place }];
  faults.add('invalid_type', 'must be a string, not null', place);
  return [];
}

function isBlank(value: HeaderItem[string] | undefined): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}
