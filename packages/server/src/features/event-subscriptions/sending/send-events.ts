import { nextPause, readRetryAfter } from '#features/callbacks/sending/schedule.ts';
import { untilStopIsDue } from '#features/callbacks/sending/stop-grace.ts';
import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import {
  beginBatch,
  beginRetry,
  claimSubscription,
  endDelivered,
  endFailed,
  endPaused,
  endRetried,
  loadClaimed,
  loadNextWork,
  pauseSubscription,
  releaseSubscription,
  skipEvents,
  type AttemptOutcome,
  type Claim,
  type NewBatch,
} from '../store/progress-store.ts';
import type { EventDeliveryRow } from '../store/event-delivery-store.ts';
import type { SubscriptionRow } from '../store/subscription-store.ts';
import { bodyOf, composeEvents, type SentEvent } from './compose.ts';
import { EventsExpired, FeedReader } from './feed-reader.ts';
import { sendBody, type SentBatch } from './send-batch.ts';
import { loadSettings, type SendSettings } from './settings.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** Sends the events of a subscription until there are no more. */
    send_events: { readonly account_id: number; readonly subscription_id: string };
  }
}

// Milliseconds after which a job gives its place to the jobs of other subscriptions.
const longestRun = 30_000;

// Milliseconds for which a job uses what it knows of its subscription. Changes of attributes, masks
// and rights have an effect after this time.
const settingsAge = 1000;

/** What a job needs to send. */
interface Sender {
  readonly context: Context;
  readonly claim: Claim;
  readonly signal: AbortSignal;
  readonly row: SubscriptionRow;
  readonly settings: SendSettings;
  readonly reader: FeedReader;
}

/** A batch that is stored and can be sent. */
interface Prepared {
  readonly batch: NewBatch;
  readonly events: readonly SentEvent[];
}

/**
 * Sends the events of one subscription, batch after batch.
 *
 * - A batch is stored before it is sent, with its id and its range of positions. So every attempt has
 *   the same `webhook-id`, even if the process is killed.
 * - The next batch is sent after the receiver has accepted the one before it. So events are in order.
 * - A failed attempt ends the job. It runs again when the next attempt is due, so that a receiver
 *   that is down does not keep a place.
 */
export const sendEvents: JobHandler<JobPayloads['send_events']> = async (context, payload, { jobId, signal }) => {
  const claim: Claim = { accountId: payload.account_id, subscriptionId: payload.subscription_id, jobId };
  signal.throwIfAborted();
  if (!(await claimSubscription(context.db, claim))) return;
  const began = performance.now();
  while (performance.now() - began < longestRun && (await sendSome(context, claim, signal))) signal.throwIfAborted();
  await releaseSubscription(context.db, claim);
};

/** Sends what is due for some time. Returns false when nothing more can be sent now. */
async function sendSome(context: Context, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const { db } = context;
  const row = await loadClaimed(db, claim);
  if (row === undefined) return false;
  const { due, blocked } = await loadNextWork(db, claim);
  if (due === undefined && blocked) return false;
  const settings = await loadSettings(context, row);
  if ('reason' in settings) {
    await pauseSubscription(db, claim, { ...settings, at: context.now() });
    return false;
  }
  const reader = new FeedReader(db, row.account_id, row.kinds);
  const sender: Sender = { context, claim, signal, row, settings, reader };
  try {
    return due === undefined ? await sendBatches(sender) : await sendAgain(sender, due);
  } catch (error) {
    if (!(error instanceof EventsExpired)) throw error;
    if (due?.replayed === true) await giveUpExpired(sender, due);
    else await pauseExpired(sender, error, due);
    return due?.replayed === true;
  }
}

async function pauseExpired(
  { context, claim }: Sender,
  { position }: EventsExpired,
  due?: EventDeliveryRow,
): Promise<void> {
  const detail = `Events up to position ${position} are deleted. Move the subscription to a position from there on.`;
  const pause = { reason: 'events_expired', detail, at: context.now() } as const;
  if (due === undefined) await pauseSubscription(context.db, claim, pause);
  else await endPaused(context.db, claim, due, expiredOutcome, pause);
}

const expiredOutcome: AttemptOutcome = {
  durationMs: 0,
  statusCode: null,
  errorCode: 'events_expired',
  errorDetail: null,
};

async function giveUpExpired({ context, claim }: Sender, due: EventDeliveryRow): Promise<void> {
  await endFailed(context.db, claim, due, expiredOutcome, context.now());
}

/** Makes another attempt of a delivery. Returns false if it failed. */
async function sendAgain(sender: Sender, due: EventDeliveryRow): Promise<boolean> {
  const { context, claim, row, settings, reader } = sender;
  const wanted = await reader.range(due.after_position, due.last_position);
  const events = await composeEvents(context.db, settings, wanted);
  if (!(await beginRetry(context.db, due, events.length))) return true;
  if (events.length === 0) {
    const nothing = { durationMs: 0, statusCode: null, errorCode: null, errorDetail: null };
    await endDelivered(context.db, claim, row, due, nothing, context.now(), undefined);
    return true;
  }
  const sent = await attempt(sender, due.delivery_id, events);
  if (sent.error !== undefined) {
    const number = due.attempts + 1 - due.attempts_before_cycle;
    return endAttempt(sender, due, sent, { number, since: due.cycle_started_at });
  }
  await endDelivered(context.db, claim, row, due, sent.stored, context.now(), undefined);
  return true;
}

/**
 * Sends new batches, until the settings are too old. Returns false if there are no more, or an
 * attempt failed.
 */
async function sendBatches(sender: Sender): Promise<boolean> {
  const { context, claim, row, signal } = sender;
  const began = performance.now();
  const first = await prepare(sender, row.position, began);
  if (typeof first === 'string') return first === 'again';
  let prepared: Prepared = first;
  if (!(await beginBatch(context.db, claim, row, prepared.batch, context.now()))) return true;
  for (;;) {
    const { batch, events }: Prepared = prepared;
    const sent = await attempt(sender, batch.deliveryId, events);
    const delivery = { ...keyOf(row), delivery_id: batch.deliveryId, last_position: batch.last };
    if (sent.error !== undefined) {
      return endAttempt(sender, { ...delivery, replayed: false }, sent, { number: 1, since: context.now() });
    }
    const goesOn = !signal.aborted && performance.now() - began < settingsAge;
    const next: Prepared | undefined = goesOn ? await prepareWithin(sender, batch.last) : undefined;
    const end = await endDelivered(context.db, claim, row, delivery, sent.stored, context.now(), next?.batch);
    if (next === undefined || !end.begun) return true;
    prepared = next;
  }
}

const keyOf = ({ account_id, subscription_id }: SubscriptionRow) => ({ account_id, subscription_id });

/**
 * Reads the next batch with at least one event to send. Moves the position over events that are not
 * sent. `none`: there are no more events. `again`: the subscription and its settings must be loaded
 * again, because it was moved, or they are too old.
 */
async function prepare(sender: Sender, position: number, began: number): Promise<Prepared | 'none' | 'again'> {
  for (let after = position; !sender.signal.aborted;) {
    const next = await read(sender, after);
    if (next === undefined) return 'none';
    if (next.events.length > 0) return next;
    const isSkipped = await skipEvents(sender.context.db, sender.claim, after, next.batch.last);
    if (!isSkipped || performance.now() - began >= settingsAge) return 'again';
    after = next.batch.last;
  }
  return 'none';
}

/** Like {@link prepare}, but only if the very next events have one to send. */
async function prepareWithin(sender: Sender, after: number): Promise<Prepared | undefined> {
  try {
    const next = await read(sender, after);
    return next?.events.length === 0 ? undefined : next;
  } catch (error) {
    // The caller must first store that the batch before it was delivered.
    if (error instanceof EventsExpired) return undefined;
    throw error;
  }
}

async function read({ context, row, settings, reader }: Sender, after: number): Promise<Prepared | undefined> {
  const found = await reader.next(after, row.max_events);
  if (found === undefined) return undefined;
  const events = found.events.length === 0 ? [] : await composeEvents(context.db, settings, found.events);
  return { events, batch: { deliveryId: context.newId(), after, last: found.last, events: events.length } };
}

async function attempt(
  { context, row, signal }: Sender,
  deliveryId: string,
  events: readonly SentEvent[],
): Promise<SentBatch> {
  using cut = untilStopIsDue(signal);
  const sent = await sendBody(context, row, deliveryId, bodyOf('events', row, events, context.now()), cut.signal);
  const outcome = sent.error?.code ?? 'delivered';
  context.metrics.eventDeliveryAttempts.observe({ outcome }, sent.stored.durationMs / 1000);
  if (sent.error === undefined) context.metrics.eventsDelivered.inc(events.length);
  return sent;
}

type Attempted = Pick<
  EventDeliveryRow,
  'account_id' | 'subscription_id' | 'delivery_id' | 'last_position' | 'replayed'
>;

/**
 * Stores a failed attempt, and decides what follows. Returns true if later events may be sent now.
 */
async function endAttempt(
  { context, claim, row }: Sender,
  delivery: Attempted,
  sent: SentBatch,
  cycle: { readonly number: number; readonly since: Date },
): Promise<boolean> {
  const { db, log } = context;
  const now = context.now();
  const facts = {
    account_id: row.account_id,
    subscription_id: row.subscription_id,
    delivery_id: delivery.delivery_id,
    status: sent.status,
    error: sent.error?.code,
  };
  const isGone = sent.status === 410;
  const pause = nextPause({
    number: cycle.number,
    elapsed: now.getTime() - cycle.since.getTime(),
    retryAfter: readRetryAfter(sent.retryAfter, now),
  });
  if (pause !== undefined && !isGone) {
    await endRetried(db, delivery, sent.stored, pause);
    log.debug(facts, 'could not send events; retrying');
    return delivery.replayed;
  }
  if (delivery.replayed || (row.when_failed === 'continue' && !isGone)) {
    await endFailed(db, claim, delivery, sent.stored, now);
    log.warn(facts, 'could not send events; they are a dead letter now');
    return true;
  }
  const reason = isGone ? 'receiver_gone' : 'retries_ended';
  await endPaused(db, claim, delivery, sent.stored, { reason, detail: null, at: now });
  log.warn(facts, 'could not send events; the subscription is paused');
  return false;
}
