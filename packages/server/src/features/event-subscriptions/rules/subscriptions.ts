import {
  Faults,
  subscriptionLimits,
  type CreateEventSubscriptionBody,
  type PartlyRead,
  type UpdateEventSubscriptionBody,
} from '@roster/contract';
import { sql } from 'kysely';
import { generateSigningSecret, signingSecretOverlap } from '#features/accounts/signing-secrets/signing-secrets.ts';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { requireAccount, requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { feedEnds } from '#features/events/event-store.ts';
import { eventsExpired, requireInFeed } from '#features/events/feed-ends.ts';
import { requireFilterRoom, type StoredFilters } from '#features/search/filter-room.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import { changedFields, writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { faultsError, conflict } from '#platform/errors/api-error.ts';
import {
  cancelPending,
  requireLockedEventDelivery,
  restartEventDelivery,
  retryPendingNow,
} from '../store/event-delivery-store.ts';
import type { EventDeliveryRow } from '../store/event-delivery-store.ts';
import {
  changeSubscription,
  countSubscriptions,
  deleteSubscription,
  insertSubscription,
  requireLockedSubscription,
  type SubscriptionKey,
  type SubscriptionRow,
} from '../store/subscription-store.ts';
import type { FilterRights } from '#features/search/rights/filter-rights.ts';
import { given } from '#platform/given.ts';
import { jsonText } from '#platform/database/values/json-text.ts';
import { checkSubscription } from './check-subscription.ts';

/** Who changes subscriptions. */
export interface Requester {
  readonly author: Author;
  readonly rights: FilterRights;
}

/**
 * Creates a subscription. Throws `invalid_request` with all faults, `not_found`, `events_expired`,
 * and `conflict` without the setting `events`, or when there are too many.
 */
export async function createSubscription(
  context: Context,
  accountId: number,
  body: CreateEventSubscriptionBody,
  { author, rights }: Requester,
): Promise<SubscriptionRow> {
  return context.db.transaction().execute(async (trx) => {
    // The lock prevents the deletion of an attribute or audience until its use is stored.
    const account = await requireLockedAccount(trx, accountId);
    const faults = new Faults();
    const scope = { accountId, registry: await loadRegistry(trx, accountId), rights };
    const checked = await checkSubscription(trx, context, scope, body, undefined, faults);
    if (faults.count > 0) throw faultsError(faults);
    if (!effectiveSettings(account.settings).events) {
      throw conflict('The account records no events. Set its setting events to true first.');
    }
    if ((await countSubscriptions(trx, accountId)) >= subscriptionLimits.perAccount) {
      throw conflict(`The account has ${subscriptionLimits.perAccount} event subscriptions, which is the maximum.`);
    }
    const ends = await feedEnds(trx, accountId);
    const position = body.after ?? ends.last_position;
    requireInFeed(position, ends);
    const now = context.now();
    const row = await insertSubscription(trx, {
      account_id: accountId,
      subscription_id: context.newId(),
      name: body.name,
      url: checked.url!,
      headers: JSON.stringify(checked.headers ?? []),
      kinds: body.kinds === undefined ? null : JSON.stringify([...new Set(body.kinds)]),
      filter: jsonText(checked.filter ?? null),
      columns: JSON.stringify(checked.columns ?? []),
      unmasked: body.unmasked === true,
      max_events: body.max_events ?? subscriptionLimits.events.default,
      when_failed: body.when_failed ?? 'pause',
      secret: generateSigningSecret(),
      secret_created_at: now,
      position,
      author,
      created_at: now,
      updated_at: now,
    });
    await requireFilterRoom(trx, filtersOf(accountId));
    await audit(trx, context, row, author, 'create', { name: row.name, position });
    return row;
  });
}

/** Adds the faults that depend on the account to a request that already has faults. */
export async function addSubscriptionFaults(
  context: Context,
  accountId: number,
  body: PartlyRead<CreateEventSubscriptionBody>,
  { rights }: Requester,
  faults: Faults,
): Promise<void> {
  await requireAccount(context.db, accountId);
  const scope = { accountId, registry: await loadRegistry(context.db, accountId), rights };
  await checkSubscription(context.db, context, scope, body, undefined, faults);
}

/**
 * Changes, pauses or resumes a subscription. `allowed` decides by the present row whether the
 * change may be made, and throws if not. Throws `invalid_request` with all faults, `not_found`, and
 * `events_expired` when it is resumed and its next events are deleted.
 */
export async function updateSubscription(
  context: Context,
  key: SubscriptionKey,
  body: UpdateEventSubscriptionBody,
  { author, rights }: Requester,
  allowed: (row: SubscriptionRow) => Promise<void>,
): Promise<SubscriptionRow> {
  const { accountId } = key;
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, accountId);
    const before = await requireLockedSubscription(trx, key);
    await allowed(before);
    const faults = new Faults();
    const scope = { accountId, registry: await loadRegistry(trx, accountId), rights };
    const checked = await checkSubscription(trx, context, scope, body, before, faults);
    if (faults.count > 0) throw faultsError(faults);
    const now = context.now();
    if (body.paused === false) {
      const ends = await feedEnds(trx, accountId);
      if (before.position < ends.expired_position) throw eventsExpired(ends.expired_position);
      if (before.paused_at !== null) await retryPendingNow(trx, key, now);
    }
    const after = await changeSubscription(trx, key, {
      ...given({
        name: body.name,
        url: checked.url,
        headers: jsonText(checked.headers),
        kinds: body.kinds && JSON.stringify([...new Set(body.kinds)]),
        filter: jsonText(checked.filter),
        columns: jsonText(checked.columns),
        unmasked: body.unmasked,
        max_events: body.max_events,
        when_failed: body.when_failed,
      }),
      ...pauseChanges(before, body.paused, now),
      author,
      version: before.version + 1,
      updated_at: now,
    });
    // A shorter filter always fits, also if there were too many before this limit.
    if (lengthOf(after) > lengthOf(before)) await requireFilterRoom(trx, filtersOf(accountId));
    await audit(trx, context, after, author, 'update', {
      changes: changedFields(auditedFields(before), auditedFields(after)),
    });
    return after;
  });
}

function lengthOf({ filter }: SubscriptionRow): number {
  return JSON.stringify(filter).length;
}

/** The filters of the subscriptions of an account. */
const filtersOf = (accountId: number): StoredFilters => ({
  of: 'event subscriptions',
  query: sql`select filter from event_subscriptions where account_id = ${accountId}`,
  advice: 'Delete a subscription, or shorten a filter.',
});

function pauseChanges({ paused_at: since }: SubscriptionRow, paused: boolean | undefined, now: Date) {
  if (paused === undefined || paused === (since !== null)) return {};
  return paused
    ? ({ paused_at: now, pause_reason: 'by_hand', pause_detail: null } as const)
    : ({ paused_at: null, pause_reason: null, pause_detail: null } as const);
}

/** Deletes a subscription with its deliveries. Throws `not_found`. */
export async function removeSubscription(context: Context, key: SubscriptionKey, author: Author): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, key.accountId);
    const row = await requireLockedSubscription(trx, key);
    await deleteSubscription(trx, key);
    await audit(trx, context, row, author, 'delete', { name: row.name });
  });
}

/** Gives a subscription a new secret. The old one also signs for 24 hours. Throws `not_found`. */
export async function rotateSecret(context: Context, key: SubscriptionKey, author: Author): Promise<SubscriptionRow> {
  return context.db.transaction().execute(async (trx) => {
    const before = await requireLockedSubscription(trx, key);
    const now = context.now();
    const after = await changeSubscription(trx, key, {
      secret: generateSigningSecret(),
      secret_created_at: now,
      previous_secret: before.secret,
      previous_expires_at: new Date(now.getTime() + signingSecretOverlap),
    });
    await audit(trx, context, after, author, 'rotate_secret', {});
    return after;
  });
}

/**
 * Moves a subscription to a position of the feed. A delivery that waits in the order of the feed is
 * cancelled. Throws `invalid_request`, `not_found` and `events_expired`.
 */
export async function moveSubscription(
  context: Context,
  key: SubscriptionKey,
  position: number,
  author: Author,
): Promise<SubscriptionRow> {
  return context.db.transaction().execute(async (trx) => {
    const before = await requireLockedSubscription(trx, key);
    requireInFeed(position, await feedEnds(trx, key.accountId));
    await cancelPending(trx, key, context.now());
    const after = await changeSubscription(trx, key, { position, updated_at: context.now() });
    await audit(trx, context, after, author, 'replay', { from: before.position, to: position });
    return after;
  });
}

/** Sends a dead letter again. Throws `not_found`, `events_expired`, and `conflict` for other deliveries. */
export async function replayDeadLetter(
  context: Context,
  key: SubscriptionKey,
  deliveryId: string,
  author: Author,
): Promise<EventDeliveryRow> {
  return context.db.transaction().execute(async (trx) => {
    const subscription = await requireLockedSubscription(trx, key);
    const before = await requireLockedEventDelivery(trx, key, deliveryId);
    if (before.status !== 'failed') {
      throw conflict(`The delivery is ${before.status}. Only failed deliveries can be sent again.`);
    }
    const ends = await feedEnds(trx, key.accountId);
    if (before.after_position < ends.expired_position) throw eventsExpired(ends.expired_position);
    const row = await restartEventDelivery(trx, before, context.now());
    await audit(trx, context, subscription, author, 'replay_delivery', { delivery_id: deliveryId });
    return row;
  });
}

async function audit(
  trx: Database,
  context: Context,
  { account_id: accountId, subscription_id: id }: SubscriptionRow,
  actor: Author,
  verb: 'create' | 'update' | 'delete' | 'rotate_secret' | 'replay' | 'replay_delivery',
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  const subject = `event_subscription:${id}`;
  await writeAudit(trx, context, { accountId, actor, action: `event_subscription.${verb}`, subject, details });
}

/** Returns the fields that an entry of the audit log may show: no secrets, and no addresses. */
function auditedFields(row: SubscriptionRow) {
  const { name, kinds, columns, unmasked, max_events, when_failed, paused_at: since, url } = row;
  return {
    name,
    host: new URL(url).host,
    kinds,
    fields: columns.map((column) => column.name),
    unmasked,
    max_events,
    when_failed,
    paused: since !== null,
  };
}
