import { findSigningSecrets } from '../accounts/signing-secret-store.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { addJob } from '../jobs/jobs.ts';
import type { JobHandler, JobPayloads } from '../jobs/job-table.ts';
import { describeError } from '../observability/describe-error.ts';
import { endAttempt, findPlaceOwners, insertAttempt, updateAttempt, type DeliveryKey } from './attempt-store.ts';
import type { DeliveryRow } from './delivery-store.ts';
import { hasPlace, lockPlaces, parkDelivery, unparkDeliveries, type PlaceOwners } from './place-store.ts';
import { nextPause, readRetryAfter } from './schedule.ts';
import { send, userAgent, type Outcome } from './send.ts';
import { signatureOf } from './signature.ts';

// A stop leaves an attempt under way this time, in milliseconds: a receiver that has got it but could not say so gets it again.
const stopGrace = 4000;

/** True for the kinds of callbacks that may go to public hosts by plain HTTP (decisions §5, §7). */
const plainHttp = { export: false, batch: true } as const;

/**
 * Makes one attempt to send a delivery, and plans the next one when it fails.
 *
 * Two transactions with the request between them: the first writes down that the attempt begins, the second what came of it. A process that
 * is killed in between leaves the delivery as one that is sent; its job runs again and makes another attempt, with the same
 * `X-Roster-Delivery`. A third one passes the places on; the job runs again for it too, and finds nothing else to do.
 */
export const deliver: JobHandler<JobPayloads['deliver']> = async (context, key, { signal }) => {
  signal.throwIfAborted();
  const owners = await findPlaceOwners(context.db, key);
  if (owners === undefined) return;
  const delivery = owners.isDue
    ? await context.db.transaction().execute((trx) => begin(trx, context, key, owners))
    : undefined;
  if (delivery !== undefined) await makeAttempt(context, delivery, signal);
  await context.db.transaction().execute((trx) => passPlacesOn(trx, owners));
};

/** Begins an attempt; undefined when the delivery is not due any more, or has to wait for a place. */
async function begin(
  trx: Database,
  context: Context,
  key: DeliveryKey,
  owners: PlaceOwners,
): Promise<DeliveryRow | undefined> {
  await lockPlaces(trx, owners);
  if (await hasPlace(trx, key, owners)) return insertAttempt(trx, key, context.now());
  await parkDelivery(trx, key);
  return undefined;
}

async function makeAttempt(context: Context, delivery: DeliveryRow, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  const outcome = await attempt(context, delivery, signal);
  const milliseconds = performance.now() - began;
  const end = await context.db.transaction().execute((trx) => finish(trx, context, delivery, outcome, milliseconds));
  report(context, delivery, outcome, end, milliseconds);
}

async function attempt(context: Context, delivery: DeliveryRow, stopping: AbortSignal): Promise<Outcome> {
  const now = context.now();
  const { account_id, delivery_id, method, url, body, source } = delivery;
  const secrets = (await findSigningSecrets(context.db, account_id, now)).map(({ secret }) => secret);
  const headers: (readonly [string, string])[] = [
    ...delivery.headers,
    ['X-Roster-Delivery', delivery_id],
    ['X-Roster-Signature', signatureOf(body, secrets, now)],
  ];
  const given = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
  if (!given.has('content-type')) headers.push(['Content-Type', 'application/json']);
  if (!given.has('user-agent')) headers.push(['User-Agent', userAgent]);

  using cut = abortedAfter(stopping, stopGrace);
  const rules = { allow: context.config.callbackAllow, plainHttp: plainHttp[source] };
  return await send({ method, url, headers, body }, { ...rules, resolveHost: context.resolveHost, signal: cut.signal });
}

/** A signal that is aborted some milliseconds after another. */
function abortedAfter(signal: AbortSignal, milliseconds: number): { readonly signal: AbortSignal } & Disposable {
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => later.abort(new Error('the process stops')), milliseconds);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    signal: later.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}

/** What became of a delivery by an attempt; undefined when another attempt, begun meanwhile, decides. */
type End = 'delivered' | 'failed' | 'retried' | undefined;

/** Writes down what came of an attempt, and plans the next one. */
async function finish(
  trx: Database,
  context: Context,
  delivery: DeliveryRow,
  { status, retryAfter, error, address }: Outcome,
  milliseconds: number,
): Promise<End> {
  const now = context.now();
  await lockPlaces(trx, delivery);
  await updateAttempt(trx, delivery, {
    duration_ms: Math.round(milliseconds),
    status_code: status ?? null,
    error_code: error?.code ?? null,
    error_detail: error?.detail ?? null,
    address: address ?? null,
  });
  const pause =
    error === undefined
      ? undefined
      : nextPause({
          number: delivery.attempts - delivery.attempts_before_cycle,
          elapsed: now.getTime() - delivery.cycle_started_at.getTime(),
          retryAfter: readRetryAfter(retryAfter, now),
        });
  const end = pause !== undefined ? 'retried' : error === undefined ? 'delivered' : 'failed';
  const ended = await endAttempt(trx, delivery, end === 'retried' ? { pause: pause! } : { status: end, at: now });
  if (ended?.next_attempt_at != null) await addDeliveryJob(trx, delivery, ended.next_attempt_at);
  return ended === undefined ? undefined : end;
}

async function passPlacesOn(trx: Database, owners: PlaceOwners): Promise<void> {
  for (const parked of await unparkDeliveries(trx, owners)) await addDeliveryJob(trx, parked);
}

async function addDeliveryJob(trx: Database, { account_id, delivery_id }: DeliveryKey, runAt?: Date): Promise<void> {
  await addJob(trx, 'deliver', { account_id, delivery_id }, runAt === undefined ? {} : { runAt });
}

/** Counts and logs an attempt; the log has no URL, which can carry secrets. */
function report(
  { log, metrics }: Context,
  { account_id, delivery_id, attempts }: DeliveryRow,
  { status, error }: Outcome,
  end: End,
  milliseconds: number,
): void {
  metrics.deliveryAttempts.observe({ outcome: error?.code ?? 'delivered' }, milliseconds / 1000);
  if (end !== undefined && end !== 'retried') metrics.deliveries.inc({ outcome: end });
  const facts = { account_id, delivery_id, attempt: attempts, status, error: error?.code, detail: error?.detail };
  if (error?.code === 'internal') log.error({ ...facts, err: describeError(error.cause) }, 'a callback met a defect');
  else if (end === 'failed') log.warn(facts, 'a callback is given up');
  else log.debug(facts, error === undefined ? 'a callback was delivered' : 'an attempt to deliver a callback failed');
}
