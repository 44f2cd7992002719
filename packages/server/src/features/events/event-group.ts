import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { AccountEvent, EventKind } from '@roster/contract';

/** Maximum number of events in a group. A reader decompresses whole groups. */
export const eventsPerGroup = 2000;

/** An event to store. */
export interface NewEvent {
  readonly kind: EventKind;
  /** Null: no contact is concerned. */
  readonly contactId: number | null;
  /** Null: no request made the change. */
  readonly requestId: string | null;
  /** What changed, by name. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What a group contains: each request once, and the events with the index of their request. */
interface GroupContent {
  readonly requests: readonly string[];
  readonly events: readonly PackedEvent[];
}

type PackedEvent = readonly [
  kind: EventKind,
  contactId: number | null,
  request: number | null,
  details: NewEvent['details'],
];

/** A stored group of consecutive events. */
export interface EventGroup {
  /** The position of the last event. */
  readonly last_position: number;
  readonly occurred_at: Date;
  readonly events: Buffer;
}

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Packs events into the form in which a group is stored. */
export function packEvents(events: readonly NewEvent[]): Buffer {
  const indexes = new Map<string, number>();
  const packed = events.map(({ kind, contactId, requestId, details }): PackedEvent => {
    if (requestId === null) return [kind, contactId, null, details];
    let index = indexes.get(requestId);
    if (index === undefined) indexes.set(requestId, (index = indexes.size));
    return [kind, contactId, index, details];
  });
  return compressed({ requests: [...indexes.keys()], events: packed });
}

/** Returns the events of a group as the feed shows them, in order. */
export function unpackEvents({ last_position: last, occurred_at, events: packed }: EventGroup): AccountEvent[] {
  const { requests, events } = JSON.parse(zstdDecompressSync(packed).toString()) as GroupContent;
  const before = last - events.length;
  const at = occurred_at.toISOString();
  return events.map(([kind, contactId, request, details], index) => ({
    position: before + index + 1,
    kind,
    contact_id: contactId,
    occurred_at: at,
    request_id: request === null ? null : requests[request]!,
    details,
  }));
}

/**
 * Returns a stored group with empty details of all events about a contact. Undefined: it has no such
 * details.
 */
export function withoutDetailsOf(contactId: number, packed: Buffer): Buffer | undefined {
  const json = zstdDecompressSync(packed);
  // Most groups have no event about the contact. They are not parsed.
  if (!json.includes(`",${contactId},`)) return undefined;
  const content = JSON.parse(json.toString()) as GroupContent;
  let changed = false;
  const events = content.events.map((event): PackedEvent => {
    const [kind, contact, request, details] = event;
    if (contact !== contactId || Object.keys(details).length === 0) return event;
    changed = true;
    return [kind, contact, request, {}];
  });
  return changed ? compressed({ ...content, events }) : undefined;
}

function compressed(content: GroupContent): Buffer {
  return zstdCompressSync(JSON.stringify(content), options);
}
