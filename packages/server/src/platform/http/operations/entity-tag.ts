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

/** Something has changed since the caller read it. {@link changeTagged} returns it as a 412. */
class Stale extends Error {
  override readonly name = 'Stale';
}

/**
 * Throws {@link Stale} unless the state is the one that the caller read. Call it where no other
 * process can change the state before this one does. `ifMatch` is the result of
 * {@link readIfMatch}.
 */
export function requireUnchanged(
  { updated_at: updatedAt }: { readonly updated_at: Date },
  ifMatch: number | undefined,
) {
  if (ifMatch !== undefined && updatedAt.getTime() !== ifMatch) throw new Stale();
}

/** Returns the time of a change, later than that of the change before it. */
export function changeTime({ updated_at: before }: { readonly updated_at: Date }, now: Date): Date {
  return now > before ? now : new Date(before.getTime() + 1);
}

/** The parts of a request that {@link changeTagged} uses. */
interface TaggedRequest {
  readonly incoming: { readonly headers: IncomingHttpHeaders };
  readonly setHeader: (name: string, value: string) => void;
}

/** How {@link changeTagged} changes something. */
interface TaggedChange<View> {
  /** Names it in the error, such as `List 3`. */
  readonly what: string;
  /** Makes the change. Calls {@link requireUnchanged}. */
  readonly change: (ifMatch: number | undefined) => Promise<View>;
  /** Loads the present state, for the error. */
  readonly load: () => Promise<View>;
}

/**
 * Changes something that has `updated_at`, and sets the header `ETag`. Throws
 * `precondition_failed` with the present state if it has changed since the caller read it.
 */
export async function changeTagged<View extends { readonly updated_at: string }>(
  { incoming, setHeader }: TaggedRequest,
  { what, change, load }: TaggedChange<View>,
): Promise<View> {
  const ifMatch = readIfMatch(incoming.headers);
  try {
    return tagged(setHeader, await change(ifMatch));
  } catch (error) {
    if (!(error instanceof Stale)) throw error;
    const current = await load();
    throw new ApiError('precondition_failed', { params: { what }, headers: { etag: tagOf(current) }, current });
  }
}

/** Sets the header `ETag` of an answer, and returns the answer. */
export function tagged<View extends { readonly updated_at: string }>(
  setHeader: TaggedRequest['setHeader'],
  answer: View,
): View {
  setHeader('etag', tagOf(answer));
  return answer;
}

function tagOf({ updated_at: updatedAt }: { readonly updated_at: string }): string {
  return entityTag(new Date(updatedAt));
}
