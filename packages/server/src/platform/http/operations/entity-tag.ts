import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '#platform/errors/api-error.ts';

/** Returns the value of the header `ETag` for something that changed last at a time. */
export function entityTag(updatedAt: Date): string {
  return `"${updatedAt.getTime()}"`;
}

/**
 * Reads the header `If-Match`: the time of the last change that the caller knows, in milliseconds
 * since 1970. Undefined when the header is missing or `*`, which every version matches.
 * Throws `invalid_request` for anything but one tag of {@link entityTag}.
 */
export function readIfMatch({ 'if-match': header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  // Some proxies make a tag weak (`W/`) when they compress the answer.
  const [, digits] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(header) ?? [];
  if (digits !== undefined) return Number(digits);
  throw invalidField('invalid_format', 'If-Match', 'must be the ETag of an earlier response, unchanged');
}
