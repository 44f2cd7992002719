import { pauseReasons, type EventDelivery, type EventSubscription } from '@roster/contract';
import { attemptErrorView } from '#features/callbacks/delivery-view.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { shownFilter, type StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { Context } from '#platform/context.ts';
import { loadDeliveryStates, type EventDeliveryRow } from '../store/event-delivery-store.ts';
import { loadLags } from '../store/lag-store.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';
import { namesOfColumns } from './contact-fields.ts';

/**
 * Returns subscriptions of an account as the operator API shows them. Secrets and the values of
 * headers are never shown. `rights`: what the caller may see of the filters.
 */
export async function subscriptionViews(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: number,
  rows: readonly SubscriptionRow[],
  rights: FilterRights,
): Promise<EventSubscription[]> {
  const registry = await loadRegistry(db, accountId);
  const ids = rows.map((row) => row.subscription_id);
  const states = await loadDeliveryStates(db, accountId, ids);
  const at = now();
  const lags = await loadLags(
    db,
    accountId,
    rows.map((row) => row.position),
    at,
  );
  return rows.map((row, index) => {
    const { pending, deadLetters } = states.get(row.subscription_id)!;
    const { lastPosition, events, seconds } = lags[index]!;
    return {
      subscription_id: row.subscription_id,
      name: row.name,
      url: row.url,
      header_names: row.headers.map(([name]) => name),
      kinds: row.kinds === null ? null : [...row.kinds],
      filter: row.filter === null ? null : shownFilter(row.filter as StoredFilter, registry, rights),
      fields: namesOfColumns(row.columns, registry),
      unmasked: row.unmasked,
      max_events: row.max_events,
      when_failed: row.when_failed,
      status: row.paused_at === null ? 'active' : 'paused',
      pause: pauseView(row),
      position: row.position,
      last_position: lastPosition,
      lag: { events, seconds },
      pending: pending === undefined ? null : pendingView(row, pending),
      dead_letters: deadLetters,
      secret_created_at: row.secret_created_at.toISOString(),
      previous_secret_expires_at:
        row.previous_expires_at !== null && row.previous_expires_at > at ? row.previous_expires_at.toISOString() : null,
      author: row.author,
      version: row.version,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    };
  });
}

function pauseView({ paused_at: since, pause_reason: reason, pause_detail: detail }: SubscriptionRow) {
  if (since === null || reason === null) return null;
  const message = detail === null ? pauseReasons[reason] : `${pauseReasons[reason]} ${detail}`;
  return { reason, message, since: since.toISOString() };
}

/** A paused subscription attempts nothing, so no time of an attempt is shown. */
function pendingView(subscription: SubscriptionRow, pending: EventDeliveryRow): EventDelivery {
  const view = eventDeliveryView(pending);
  return subscription.paused_at === null ? view : { ...view, next_attempt_at: null };
}

/** Returns a delivery as the operator API shows it. */
export function eventDeliveryView(row: EventDeliveryRow): EventDelivery {
  return {
    delivery_id: row.delivery_id,
    first_position: row.after_position + 1,
    last_position: row.last_position,
    events: row.events,
    status: row.status,
    replayed: row.replayed,
    attempts: row.attempts,
    status_code: row.status_code,
    duration_ms: row.duration_ms,
    error: attemptErrorView(row.error_code, row.error_detail),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
