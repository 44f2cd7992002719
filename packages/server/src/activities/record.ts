import { hash } from 'node:crypto';
import { activityTimeTolerance, type ActivityKind, type ActivityRecord, type OptOutChannel } from '@roster/contract';
import type { BatchState, ItemFailure, Outcome } from '../contacts/batch-state.ts';
import { fail } from '../contacts/create.ts';
import { contactKey } from '../contacts/identity.ts';
import type { Lookups } from '../contacts/lookups.ts';
import { touch } from '../contacts/merge.ts';
import { canOptOut, optOutAt } from '../contacts/opt-outs.ts';
import { copyText } from '../db/text-format.ts';
import { channelNumber, kindNumber } from './activity.ts';
import { monthOfText, oldestMonth } from './month.ts';

/** What the items of one request have in common. */
export interface RecordRequest {
  /** When the request was accepted, RFC 3339. */
  readonly at: string;
  /** Index of the request in its batch. */
  readonly request: number;
}

/** The channel that an activity opts its contact out of (decisions §8); undefined for most. Push channels know no opt-out. */
function optedOutOf({ activity, bounce_type, channel }: ActivityRecord): OptOutChannel | undefined {
  const optsOut =
    activity === 'unsubscribe' || activity === 'spam' || (activity === 'bounce' && bounce_type === 'hard');
  return optsOut && canOptOut(channel) ? channel : undefined;
}

/** Adds the look-up that an item needs: only those that change their contact have to find it. */
export function recordLookups(item: ActivityRecord, primaryKey: string, into: Lookups): void {
  const key = optedOutOf(item) === undefined ? undefined : contactKey(primaryKey, item.identity);
  if (key !== undefined) into.key.add(key);
}

/**
 * Records one activity (decisions §9), and opts its contact out where the activity says so (decisions §8).
 *
 * `created`, until it turns out to be a repeat when it is stored. An identity that no contact has is recorded all the same.
 */
export function applyRecord(
  state: BatchState,
  request: RecordRequest,
  item: ActivityRecord,
  failures: ItemFailure[],
): Outcome {
  const key = contactKey(state.registry.primaryKey, item.identity);
  if (key === undefined) return fail(failures, { code: 'identity_invalid', field: 'identity' });
  const accepted = Date.parse(request.at);
  if (Date.parse(item.occurred_at) > accepted + activityTimeTolerance) {
    return fail(failures, { code: 'activity_in_future', field: 'occurred_at' });
  }
  if (monthOfText(item.occurred_at) < oldestMonth(accepted, state.activityRetentionMonths)) {
    return fail(failures, { code: 'activity_too_old', field: 'occurred_at' });
  }
  state.activities.record({
    key,
    request: request.request,
    channel: channelNumber(item.channel),
    occurredAt: item.occurred_at,
    recordId: item.id === undefined ? null : recordId(item.id),
    rest: restOf(item),
  });
  const channel = optedOutOf(item);
  if (channel !== undefined) {
    const contact = state.contacts.byKey(key);
    if (contact === undefined) state.awaitedOptOuts.add(key, channel, item.occurred_at);
    else touch(contact, optOutAt(contact, channel, item.occurred_at), request.at);
  }
  return 'created';
}

/** The first 64 bits of the SHA-256 of an id, as the text of a bigint. */
function recordId(id: string): string {
  return hash('sha256', id, 'buffer').readBigInt64BE().toString();
}

// What somebody does by hand has a device; the sending of a message has none.
const byHand: ReadonlySet<ActivityKind> = new Set(['open', 'click', 'unsubscribe', 'spam']);

/** The columns of {@link restColumns}, as COPY reads them. What does not apply to the kind of activity is left out. */
function restOf(item: ActivityRecord): string {
  const { activity } = item;
  let rest = `${kindNumber(activity)}\t${text(item.message_id)}\t${text(item.msg_name)}`;
  rest += `\t${activity === 'bounce' ? String(item.bounce_type === 'hard') : none}`;
  if (!byHand.has(activity)) return `${rest}\t${none}\t${none}\t${none}\t${none}\t${none}`;
  rest += `\t${text(item.ip)}\t${text(item.device)}\t${text(item.os)}\t${text(item.browser)}`;
  return `${rest}\t${activity === 'click' ? text(item.link) : none}`;
}

/** The columns that {@link NewActivity.rest} has, in order. */
export const restColumns = 'activity, message_id, msg_name, hard_bounce, ip, device, os, browser, link';

const none = copyText(null);

function text(value: string | number | undefined): string {
  return value === undefined ? none : copyText(value);
}
