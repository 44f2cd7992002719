import { activityTimeTolerance } from '@roster/contract';
import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import type { BatchState } from '#features/contacts/batch/batch-state.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { Lookups } from '#features/contacts/model/lookups.ts';
import { touch } from '#features/contacts/rules/merge.ts';
import { optOutAt } from '#features/contacts/model/opt-outs.ts';
import { keyIdentifier } from '#features/contacts/model/identifiers.ts';
import { optOutOf, type LoggedRecord } from '../record/logged-record.ts';
import { oldestMonth, startOfMonth } from '../store/month.ts';

/** One request to record activities. */
export interface RecordRequest {
  readonly records: readonly LoggedRecord[];
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Index of the request in its batch. */
  readonly request: number;
  /** The last moment that an activity can have, in milliseconds since 1970. */
  readonly latest: number;
  /** The first moment that an activity can have; asked of the account with the first of up to 10,000 items. */
  oldest: number | undefined;
}

/** Prepares a request that was accepted at a moment (RFC 3339). */
export function recordRequest(records: readonly LoggedRecord[], request: number, at: string): RecordRequest {
  return { records, at, request, latest: Date.parse(at) + activityTimeTolerance, oldest: undefined };
}

/** Adds the look-up that an item needs: only a record that opts its contact out has to find it. */
export function recordLookups({ records }: RecordRequest, item: number, primaryKey: string, into: Lookups): void {
  const record = records[item]!;
  const key = optOutOf(record) === undefined ? undefined : contactKey(primaryKey, record.identity);
  if (key !== undefined) into.key.add(key);
}

/** Adds the key of an item that happened before a moment, in milliseconds since 1970: another contact may have had it then. */
export function lateKeys(
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
 * Records one activity, and opts its contact out where the activity says so.
 *
 * Returns `created`; an activity that repeats another is counted as `unchanged` when it is stored. An activity of an
 * identity that no contact has is recorded as well: under the present identity of the contact that had it at that
 * time, if there is one.
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
    else touch(contact, optOutAt(contact, channel, record.occurred_at), at);
  }
  return 'created';
}
