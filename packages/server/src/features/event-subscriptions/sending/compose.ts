import type { AccountEvent } from '@roster/contract';
import { sql } from 'kysely';
import { compileAccount, compileForChosen, isRestricted } from '#features/search/filter/compile.ts';
import { createRowReader, type AnswerRow } from '#features/search/page/rows.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { assumeInSegment, segmentOf } from './segment-events.ts';
import type { ContactSettings, SendSettings } from './settings.ts';

/** An event as a receiver gets it. */
export interface SentEvent extends AccountEvent {
  /** The wanted fields of the contact. Null: the contact does not exist anymore. */
  readonly contact?: AnswerRow | null;
}

/** Kinds whose contact is gone, so that no filter can look at it. */
const ofGoneContacts: ReadonlySet<string> = new Set(['contact.deleted', 'contact.erased']);

/**
 * Returns the events that are sent, with the fields of their contacts. The filter and the fields see
 * the contacts as they are now. But when a contact entered or left a segment, the filter treats it
 * as a member of this segment.
 */
export async function composeEvents(
  db: Database,
  { contacts: settings }: SendSettings,
  events: readonly AccountEvent[],
): Promise<readonly SentEvent[]> {
  if (settings === undefined) return events;
  const ids = [...new Set(events.flatMap(({ contact_id: id }) => id ?? []))];
  const contacts = await loadContacts(db, settings, ids);
  const changes = settings.isFiltered ? await loadSegmentChanges(db, settings, events, contacts) : new Map();
  const isSent = (event: AccountEvent) => {
    const { contact_id: id, kind } = event;
    return !settings.isFiltered || id === null || ofGoneContacts.has(kind) || contacts.has(id) || changes.has(event);
  };
  const sent = events.filter(isSent);
  if (settings.fields.length === 0) return sent;
  return sent.map((event) => {
    const { contact_id: id } = event;
    return id === null ? event : { ...event, contact: contacts.get(id) ?? changes.get(event) ?? null };
  });
}

/**
 * Returns the events of contacts that entered or left a segment and pass the filter only for this
 * reason, with the fields of the contacts. Null: the contact does not exist anymore.
 */
async function loadSegmentChanges(
  db: Database,
  settings: ContactSettings,
  events: readonly AccountEvent[],
  passed: ReadonlyMap<number, AnswerRow>,
): Promise<ReadonlyMap<AccountEvent, AnswerRow | null>> {
  const others = events.filter(({ contact_id: id }) => id !== null && !passed.has(id));
  const bySegment = Map.groupBy(others, segmentOf);
  const changes = new Map<AccountEvent, AnswerRow | null>();
  for (const [segmentId, own] of bySegment) {
    const filter = segmentId === undefined ? undefined : assumeInSegment(settings.filter, segmentId);
    if (filter === undefined) continue;
    const ids = [...new Set(own.map(({ contact_id: id }) => id!))];
    const contacts = await loadContacts(db, { ...settings, filter }, ids);
    const all = !isRestricted(filter);
    for (const event of own) {
      const contact = contacts.get(event.contact_id!);
      if (contact !== undefined || all) changes.set(event, contact ?? null);
    }
  }
  return changes;
}

async function loadContacts(
  db: Database,
  { filter, fields, unmasked }: ContactSettings,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AnswerRow>> {
  if (ids.length === 0) return new Map();
  const reader = createRowReader([], fields, { ...filter, unmasked });
  const columns = [sql`contacts.contact_id as "contact of event"`, ...reader.valueColumns];
  const { rows } = await sql<Readonly<Record<string, unknown>> & { 'contact of event': number }>`
    select ${sql.join(columns)} from contacts${reader.join}
    where ${compileAccount(filter)} and ${compileForChosen(filter)} and contacts.contact_id = any(${ids}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row['contact of event'], reader.toAnswer(row)]));
}

/**
 * Returns the body of a delivery. Its form is that of Standard Webhooks. It is encoded once, to be
 * signed and sent.
 */
export function bodyOf(
  type: 'events' | 'test',
  { account_id, subscription_id }: { readonly account_id: number; readonly subscription_id: string },
  events: readonly SentEvent[],
  at: Date,
): Buffer {
  const data = { account_id, subscription_id, events };
  return Buffer.from(JSON.stringify({ type, timestamp: at.toISOString(), data }));
}
