import { activityTimeTolerance } from '@roster/contract';
import type { BatchState, ItemFailure, Outcome } from '../contacts/batch-state.ts';
import { fail } from '../contacts/create.ts';
import { contactKey } from '../contacts/identity.ts';
import type { Lookups } from '../contacts/lookups.ts';
import { touch } from '../contacts/merge.ts';
import { optOutAt } from '../contacts/opt-outs.ts';
import { keyIdentifier } from '../people/identifiers.ts';
import { oldestMonth, startOfMonth } from './month.ts';
import type { PackedActivities } from './packed.ts';

/** One request to record activities. */
export interface RecordRequest {
  readonly records: PackedActivities;
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Index of the request in its batch. */
  readonly request: number;
  /** The last moment that an activity can have, as its `occurred_at`. */
  readonly latest: string;
  /** The first moment that an activity can have; asked of the account with the first of up to 10,000 items. */
  oldest: string | undefined;
}

/** Prepares a request that was accepted at a moment (RFC 3339). */
export function recordRequest(records: PackedActivities, request: number, at: string): RecordRequest {
  const latest = new Date(Date.parse(at) + activityTimeTolerance).toISOString();
  return { records, at, request, latest, oldest: undefined };
}

/** Adds the look-up that an item needs: only those that change their contact have to find it. */
export function recordLookups({ records }: RecordRequest, item: number, primaryKey: string, into: Lookups): void {
  const key = item in records.opt_outs ? contactKey(primaryKey, records.identity[item]!) : undefined;
  if (key !== undefined) into.key.add(key);
}

/**
 * Records one activity (decisions §9), and opts its contact out where the activity says so (decisions §8).
 *
 * `created`, until it turns out to be a repeat when it is stored. An identity that no contact has is recorded all the same.
 */
export function applyRecord(state: BatchState, request: RecordRequest, item: number, failures: ItemFailure[]): Outcome {
  const { records, at } = request;
  const key = contactKey(state.registry.primaryKey, records.identity[item]!);
  if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
  if (!state.forgotten.isEmpty && state.forgotten.rejects(keyIdentifier(state.registry.primaryKey, key))) {
    return fail(failures, { code: 'contact_forgotten', field: 'identity' });
  }
  const occurredAt = records.occurred_at[item]!;
  request.oldest ??= startOfMonth(oldestMonth(Date.parse(at), state.activityRetentionMonths));
  // Texts of one form compare like the moments that they stand for.
  if (occurredAt > request.latest) return fail(failures, { code: 'activity_in_future', field: 'occurred_at' });
  if (occurredAt < request.oldest) return fail(failures, { code: 'activity_too_old', field: 'occurred_at' });
  state.activities.record({ key, request: request.request, records, at: item });
  const channel = records.opt_outs[item];
  if (channel !== undefined) {
    const contact = state.contacts.byKey(key);
    if (contact === undefined) state.awaitedOptOuts.add(key, channel, occurredAt);
    else touch(contact, optOutAt(contact, channel, occurredAt), at);
  }
  return 'created';
}
