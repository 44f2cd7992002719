import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, invalidField } from '#platform/errors/api-error.ts';

/** Returns the value of the header `ETag` for something that changed last at a time. */
export function entityTag(updatedAt: Date): string {
  return `"${updatedAt.getTime()}"`;
}

/** Returns the value of the header `ETag` for something whose changes are counted. */
export function versionTag(version: number): string {
  return `"${version}"`;
}

/**
 * Checks the header `If-Match` against a counted version. If somebody else has made another version,
 * throws `precondition_failed` with the present state. `what` names the thing in the message, such
 * as `The saved view`.
 */
export async function requireVersion(
  headers: IncomingHttpHeaders,
  version: number,
  what: string,
  current: () => object | Promise<object>,
): Promise<void> {
  const given = readIfMatch(headers);
  if (given === undefined || given === version) return;
  throw new ApiError('precondition_failed', {
    params: { what },
    headers: { etag: versionTag(version) },
    current: await current(),
  });
}

/**
 * Reads the header `If-Match`: the number in the tag that the caller knows, which is the time of the
 * last change in milliseconds since 1970, or a counted version. Undefined when the header is missing or `*`, which every version matches.
 * Throws `invalid_request` for anything but one tag of {@link entityTag} or {@link versionTag}.
 */
export function readIfMatch({ 'if-match': header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  // Some proxies make a tag weak (`W/`) when they compress the answer.
  const [, digits] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(header) ?? [];
  if (digits !== undefined) return Number(digits);
  throw invalidField('invalid_format', 'If-Match', 'must be the ETag of an earlier response, unchanged');
}
