import type { Contact } from './contact.ts';

/**
 * Returns the `updated_at` of a contact that a request accepted at `at` (RFC 3339) changes: that
 * time, or a millisecond after the stored one, if that is later. So each change has another
 * `updated_at`, and a caller who edits a contact notices every change.
 *
 * `stored` is null for a new contact, and otherwise text as PostgreSQL writes it in UTC.
 */
export function updatedAtAfter(stored: string | null, at: string): string {
  if (stored === null || isEarlier(stored, at)) return at;
  return new Date(Math.max(Date.parse(at), timeOf(stored) + 1)).toISOString();
}

/**
 * True when the `updated_at` of a contact is still `time` (milliseconds since 1970) and no earlier
 * item of the batch changed it.
 */
export function isUnchangedSince({ storedUpdatedAt, updatedAt }: Contact, time: number): boolean {
  return storedUpdatedAt !== null && updatedAt === null && timeOf(storedUpdatedAt) === time;
}

/** True when `stored` is in an earlier second than `at`. Parsing each time would take far longer. */
function isEarlier(stored: string, at: string): boolean {
  const [storedDay, day] = [stored.slice(0, 10), at.slice(0, 10)];
  return storedDay < day || (storedDay === day && stored.slice(11, 19) < at.slice(11, 19));
}

function timeOf(stored: string): number {
  return Date.parse(`${stored.replace(' ', 'T')}Z`);
}
