import { contactEventKinds, type TimelineEntry, type TimelineKind } from '@roster/contract';
import { loadContactEvents } from '#features/contacts/history/contact-event-store.ts';
import { mask } from '#features/registry/masking.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { fixedField } from '#features/search/filter/fields.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { timeOfId } from '#platform/ids.ts';
import type { ProfileRequest } from '../profile/profile.ts';
import { findContact } from '../profile/profile-store.ts';
import { loadActivities, loadRequestIds, loadRequests } from './timeline-store.ts';
import { activityEntry, createdEntry, eventEntry, requestEntry } from './timeline-view.ts';
import { contactNotFound } from '#features/contacts/model/contact-not-found.ts';

/** A place in a timeline: the entries at a time or earlier, without the first ones of that time. */
export interface TimelinePlace {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Number of entries of exactly this time that were returned already. */
  readonly skip: number;
}

/** A page of a timeline to load. */
export interface TimelinePage {
  readonly kinds: ReadonlySet<TimelineKind>;
  readonly from: TimelinePlace;
  readonly limit: number;
}

/** An entry that is ready to be shown, and when it happened in milliseconds since 1970. */
interface Placed {
  readonly time: number;
  readonly show: () => TimelineEntry;
}

/**
 * Loads one page of the timeline of a contact, newest first. Throws `not_found`.
 *
 * Each source gives its newest entries up to the place. They are merged by time. The order of
 * entries with the same time is that of the sources here, and within a source that of its query.
 */
export async function loadTimeline(
  db: Database,
  request: Omit<ProfileRequest, 'activity' | 'signal'>,
  { kinds, from, limit }: TimelinePage,
): Promise<{ readonly entries: TimelineEntry[]; readonly next: TimelinePlace | null }> {
  const { accountId, contactId, unmasked } = request;
  const contact = await findContact(db, accountId, contactId);
  if (contact === undefined) throw contactNotFound(request.accountId, request.contactId);
  // One more entry tells whether there is another page.
  const wanted = limit + from.skip + 1;
  const until = new Date(from.time);
  const registry = await loadRegistry(db, accountId);
  const identityMask = unmasked ? 'none' : fixedField(registry, 'identity').masking;
  const wantedEvents = contactEventKinds.filter((kind) => kinds.has(kind));
  const [events, requests, activities] = await Promise.all([
    wantedEvents.length === 0
      ? []
      : loadContactEvents(db, accountId, contactId, { kinds: wantedEvents, until }, wanted),
    kinds.has('request') ? loadRequestIds(db, accountId, contactId, from.time, wanted) : noRequests,
    kinds.has('activity') ? loadActivities(db, accountId, contact.contact_key, until, wanted) : [],
  ]);
  const facts = await loadRequests(db, accountId, [
    ...requests.ids,
    ...new Set(events.map(({ request_id }) => request_id)),
  ]);
  const created = contact.created_at.getTime();
  const all: Placed[] = [
    ...events.map((event) => ({
      time: event.occurred_at.getTime(),
      show: () => eventEntry(event, facts.get(event.request_id), (identity) => mask(identityMask, identity)),
    })),
    ...requests.ids.map((id) => ({ time: timeOfId(id), show: () => requestEntry(id, facts.get(id)) })),
    ...activities.map((row) => ({ time: row.occurred_at.getTime(), show: () => activityEntry(row) })),
    ...(kinds.has('created') && created <= from.time ? [{ time: created, show: () => createdEntry(created) }] : []),
  ];
  // The sort is stable, so entries of the same time stay in the order of the sources.
  all.sort((a, b) => b.time - a.time);
  return cut(all, { from, limit }, requests.searchedTo);
}

const noRequests = { ids: [], searchedTo: undefined } as const;

/** Cuts a page out of the merged entries. Some requests before `searchedTo` may be missing. */
function cut(
  all: readonly Placed[],
  { from, limit }: Pick<TimelinePage, 'from' | 'limit'>,
  searchedTo: string | undefined,
): { readonly entries: TimelineEntry[]; readonly next: TimelinePlace | null } {
  const horizon = searchedTo === undefined ? -Infinity : timeOfId(searchedTo);
  const complete = all.filter(({ time }) => time > horizon);
  const page = complete.slice(from.skip, from.skip + limit);
  const entries = page.map(({ show }) => show());
  const last = page.at(-1);
  if (complete.length > from.skip + limit && last !== undefined) {
    const same = page.filter(({ time }) => time === last.time).length;
    return { entries, next: { time: last.time, skip: same + (last.time === from.time ? from.skip : 0) } };
  }
  // The next page begins at the horizon, and at least a millisecond earlier than this one.
  const next = { time: Math.min(horizon, from.time - 1), skip: 0 };
  return { entries, next: searchedTo === undefined ? null : next };
}
