import type { AccountEvent } from '@roster/client';

/** A kind of event. */
export type EventKind = AccountEvent['kind'];

// A kind that is missing here is an error of the type check.
const all: Readonly<Record<EventKind, true>> = {
  'contact.created': true,
  'contact.updated': true,
  'contact.deleted': true,
  'contact.erased': true,
  'contact.opted_out': true,
  'contact.opted_in': true,
  'contact.confirmed': true,
  'contact.blacklisted': true,
  'contact.unblacklisted': true,
  'contact.joined_list': true,
  'contact.left_list': true,
  'contact.entered_segment': true,
  'contact.left_segment': true,
  'segment.stopped': true,
  'list.deleted': true,
  'attribute.deleted': true,
  'import.completed': true,
  'import.failed': true,
  'import.cancelled': true,
  'export.completed': true,
  'export.failed': true,
  'export.cancelled': true,
  'events.stopped': true,
  'events.started': true,
};

/** All kinds of events. */
export const eventKinds = Object.keys(all) as readonly EventKind[];

/** Returns whether this version knows a kind. */
export function isEventKind(kind: string): kind is EventKind {
  return Object.hasOwn(all, kind);
}
