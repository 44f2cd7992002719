import { fail, type ItemFailure, type Outcome } from '#pipeline/operations/item-result.ts';
import { activityTimeTolerance } from '@roster/contract';
import type { BatchState } from '#features/contacts/batch/batch-state.ts';
import { contactKey } from '#features/contacts/model/identity.ts';
import type { Lookups } from '#features/contacts/model/lookups.ts';
import { touch } from '#features/contacts/rules/merge.ts';
import { optOutAt } from '#features/contacts/model/opt-outs.ts';
import { keyIdentifier } from '#features/contacts/model/identifiers.ts';
import { oldestMonth, startOfMonth } from './month.ts';
import { momentAt, tuplesIn } from './packed-tuple.ts';
import type { PackedActivities } from './packed.ts';

/** One request to record activities. */
export interface RecordRequest {
  readonly records: PackedActivities;
  /** Where the tuples of the records begin, and the last one ends. */
  readonly begins: readonly number[];
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Index of the request in its batch. */
  readonly request: number;
  /** The last moment that an activity can have, in milliseconds since 1970. */
  readonly latest: number;
  /** The first moment that an activity can have; asked of the account with the first of up to 10,000 items. */
  oldest: number | undefined;
}

/** Prepares a request that was accepted at a moment (RFC 3339); throws when the payload is damaged. */
export function recordRequest(records: PackedActivities, request: number, at: string): RecordRequest {
  const begins = tuplesIn(records.bytes);
  if (begins.length - 1 !== records.identity.length) throw new Error('there is not a tuple for each identity');
  const latest = Date.parse(at) + activityTimeTolerance;
  return { records, begins, at, request, latest, oldest: undefined };
}

/** Adds the look-up that an item needs: only those that change their contact have to find it. */
export function recordLookups({ records }: RecordRequest, item: number, primaryKey: string, into: Lookups): void {
  const key = item in records.opt_outs ? contactKey(primaryKey, records.identity[item]!) : undefined;
  if (key !== undefined) into.key.add(key);
}

/** Adds the key of an item that happened before a moment, in milliseconds since 1970: another contact may have had it then. */
export function lateKeys(
  { records, begins }: RecordRequest,
  item: number,
  primaryKey: string,
  before: number,
  into: Set<string>,
): void {
  if (momentAt(records.bytes, begins[item]!) >= before) return;
  const key = contactKey(primaryKey, records.identity[item]!);
  if (key !== undefined) into.add(key);
}

/**
 * Records one activity (decisions §9), and opts its contact out where the activity says so (decisions §8).
 *
 * `created`, until it turns out to be a repeat when it is stored. An identity that no contact has is recorded all the same: under the present
 * one of the contact that had it at that moment, if one had.
 */
export function applyRecord(state: BatchState, request: RecordRequest, item: number, failures: ItemFailure[]): Outcome {
  const { records, begins, at } = request;
  const key = contactKey(state.registry.primaryKey, records.identity[item]!);
  if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
  if (!state.forgotten.isEmpty && state.forgotten.rejects(keyIdentifier(state.registry.primaryKey, key))) {
    return fail(failures, { code: 'contact_forgotten', field: 'identity' });
  }
  const { bytes } = records;
  const begin = begins[item]!;
  const occurredAt = momentAt(bytes, begin);
  request.oldest ??= Date.parse(startOfMonth(oldestMonth(Date.parse(at), state.parts.activities.retentionMonths)));
  if (occurredAt > request.latest) return fail(failures, { code: 'activity_in_future', field: 'occurred_at' });
  if (occurredAt < request.oldest) return fail(failures, { code: 'activity_too_old', field: 'occurred_at' });
  const holder = state.formerKeys.isEmpty ? undefined : state.formerKeys.holderAt(state.contacts, key, occurredAt);
  const [presentKey, end] = [holder?.key ?? key, begins[item + 1]!];
  state.parts.activities.ledger.record({ key: presentKey, request: request.request, occurredAt, bytes, begin, end });
  const channel = records.opt_outs[item];
  if (channel !== undefined) {
    const since = new Date(occurredAt).toISOString();
    const contact = holder ?? state.contacts.byKey(key);
    if (contact === undefined) state.awaitedOptOuts.add(key, channel, since);
    else touch(contact, optOutAt(contact, channel, since), at);
  }
  return 'created';
}
