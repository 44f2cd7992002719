import { activityTimeTolerance } from '@roster/contract';
import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { BatchState } from '#features/contacts/batch/batch-state.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { Lookups } from '#features/contacts/model/lookups.ts';
import { touch } from '#features/contacts/rules/merge.ts';
import { optOutAt } from '#features/contacts/model/opt-outs.ts';
import { keyIdentifier } from '#features/contacts/model/identifiers.ts';
import { optOutOf, type LoggedRecord } from '../record/logged-record.ts';
import { oldestMonth, startOfMonth } from '#platform/time/month.ts';

/** One request to record activities. */
export interface RecordRequest {
  readonly records: readonly LoggedRecord[];
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Index of the request in its batch. */
  readonly request: number;
  /** The latest time that an activity can have, in milliseconds since 1970. */
  readonly latest: number;
  /** The earliest time that an activity can have. Computed with the first item. */
  oldest: number | undefined;
}

/** Prepares a request that was accepted at a time (RFC 3339). */
export function prepareRequest(records: readonly LoggedRecord[], request: number, at: string): RecordRequest {
  return { records, at, request, latest: Date.parse(at) + activityTimeTolerance, oldest: undefined };
}

/** Adds the contact that an item needs. Only a record that opts its contact out needs it. */
export function addLookups({ records }: RecordRequest, item: number, primaryKey: string, into: Lookups): void {
  const record = records[item]!;
  const key = optOutOf(record) === undefined ? undefined : contactKey(primaryKey, record.identity);
  if (key !== undefined) into.key.add(key);
}

/**
 * Adds the key of an item that happened before a time, in milliseconds since 1970. Another contact
 * may have had this key then.
 */
export function addLateKeys(
  { records }: RecordRequest,
  item: number,
  primaryKey: string,
  before: number,
  into: Set<string>,
): void {
  const { occurred_at: occurredAt, identity } = records[item]!;
  if (Date.parse(occurredAt) >= before) return;
  const key = contactKey(primaryKey, identity);
  if (key !== undefined) into.add(key);
}

/**
 * Records one activity. If the activity is an opt-out, it also opts the contact out.
 *
 * Returns `created`. The plan of the batch counts a repeated activity as `unchanged` later. If no
 * contact has the identity now, but one had it at the time of the activity, the activity is
 * recorded for that contact. If no contact had it, the activity is recorded too.
 */
export function applyRecord(state: BatchState, request: RecordRequest, item: number, failures: ItemFailure[]): Outcome {
  const { records, at } = request;
  const record = records[item]!;
  const key = contactKey(state.registry.primaryKey, record.identity);
  if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
  if (!state.forgotten.isEmpty && state.forgotten.rejects(keyIdentifier(state.registry.primaryKey, key))) {
    return fail(failures, { code: 'contact_forgotten', field: 'identity' });
  }
  const occurredAt = Date.parse(record.occurred_at);
  request.oldest ??= Date.parse(startOfMonth(oldestMonth(Date.parse(at), state.parts.activities.retentionMonths)));
  if (occurredAt > request.latest) return fail(failures, { code: 'activity_in_future', field: 'occurred_at' });
  if (occurredAt < request.oldest) return fail(failures, { code: 'activity_too_old', field: 'occurred_at' });
  const holder = state.formerKeys.isEmpty ? undefined : state.formerKeys.holderAt(state.contacts, key, occurredAt);
  state.parts.activities.changes.record({ key: holder?.key ?? key, request: request.request, occurredAt, record });
  const channel = optOutOf(record);
  if (channel !== undefined) {
    const contact = holder ?? state.contacts.byKey(key);
    if (contact === undefined) state.awaitedOptOuts.add(key, channel, record.occurred_at);
    else {
      state.history.watchActivity(contact, record.activity);
      touch(state, contact, optOutAt(contact, channel, record.occurred_at), at);
    }
  }
  return 'created';
}
