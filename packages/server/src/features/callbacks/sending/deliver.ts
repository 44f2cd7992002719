import type { Context } from '#platform/context.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { beginAttempt, endAttempt, type Attempt, type AttemptEnd } from '../store/attempt-store.ts';
import { giveSlotsToParked } from '../store/delivery-slots.ts';
import { queryOf } from '../destination/query-callback.ts';
import { nextPause, readRetryAfter } from './schedule.ts';
import { send, userAgent, type Outcome } from './send.ts';
import { signatureOf, standardWebhookHeaders } from './signature.ts';
import { untilStopIsDue } from './stop-grace.ts';

/** Says which kinds of callbacks may use plain HTTP to public hosts. */
const plainHttp = { export: false, batch: true } as const;

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One attempt to send a delivery. */
    deliver: { readonly account_id: number; readonly delivery_id: string };
  }
}

/**
 * Makes one attempt to send a delivery, and plans the next one when the attempt fails.
 *
 * It uses three transactions:
 *
 * 1. Records that the attempt begins. If the process is killed after this, the job runs again and
 *    makes another attempt with the same `X-Roster-Delivery`.
 * 2. Records the outcome. If the process is killed after this, the job runs again and only does the
 *    third step.
 * 3. Gives the free slots to parked deliveries, if there are any.
 */
export const deliver: JobHandler<JobPayloads['deliver']> = async (context, key, { jobId, signal }) => {
  signal.throwIfAborted();
  const begun = await beginAttempt(context.pool, key, jobId, context.now());
  if (begun === undefined) return;
  const { owners, attempt } = begun;
  // If there is no attempt, the delivery was just parked, or this run repeats a killed run.
  const othersParked = attempt === undefined || (await makeAttempt(context, attempt, signal));
  if (othersParked) await giveSlotsToParked(context.pool, owners);
};

/** Makes an attempt that has begun. Returns true if other deliveries wait for its slots. */
async function makeAttempt(context: Context, attempt: Attempt, signal: AbortSignal): Promise<boolean> {
  const began = performance.now();
  const outcome = await request(context, attempt, signal);
  const milliseconds = performance.now() - began;
  const end = endOf(attempt, outcome, context.now());
  const { decided, othersParked } = await endAttempt(
    context.pool,
    attempt,
    {
      duration_ms: Math.round(milliseconds),
      status_code: outcome.status ?? null,
      error_code: outcome.error?.code ?? null,
      error_detail: outcome.error?.detail ?? null,
      address: outcome.address ?? null,
    },
    end,
  );
  report(context, attempt, outcome, decided ? end : undefined, milliseconds);
  return othersParked;
}

/** Sends the request of an attempt. */
async function request(context: Context, attempt: Attempt, stopping: AbortSignal): Promise<Outcome> {
  const { delivery_id, method, url, body, source, secrets } = attempt;
  const given = new Set(attempt.headers.map(([name]) => name.toLowerCase()));
  const content = method === 'GET' ? queryOf(url) : body;
  const now = context.now();
  const standard = standardWebhookHeaders(delivery_id, content, secrets, now);
  const headers: (readonly [string, string])[] = [
    ...attempt.headers,
    ['X-Roster-Delivery', delivery_id],
    ['X-Roster-Signature', signatureOf(content, secrets, now)],
    // Callers may use these names for headers of their own. Only all three together have a meaning.
    ...(standard.some(([name]) => given.has(name)) ? [] : standard),
  ];
  if (method !== 'GET' && !given.has('content-type')) headers.push(['Content-Type', 'application/json']);
  if (!given.has('user-agent')) headers.push(['User-Agent', userAgent]);

  using cut = untilStopIsDue(stopping);
  const rules = { allow: context.config.callbackAllow, plainHttp: plainHttp[source] };
  const { resolveHost, receiverConnections: connections } = context;
  const reuse = { connections, owner: `account ${attempt.account_id}` };
  return await send({ method, url, headers, body }, { ...rules, resolveHost, signal: cut.signal, reuse });
}

/** Decides what follows an attempt. */
function endOf(
  { attempts, attempts_before_cycle, cycle_started_at }: Attempt,
  { error, retryAfter }: Outcome,
  now: Date,
): AttemptEnd {
  if (error === undefined) return { status: 'delivered', at: now };
  const pause = nextPause({
    number: attempts - attempts_before_cycle,
    elapsed: now.getTime() - cycle_started_at.getTime(),
    retryAfter: readRetryAfter(retryAfter, now),
  });
  return pause === undefined ? { status: 'failed', at: now } : { pause };
}

/**
 * Counts and logs an attempt. `end` is undefined if a later attempt has begun. The log does not
 * contain the URL, because it can contain secrets.
 */
function report(
  { log, metrics }: Context,
  { account_id, delivery_id, attempts }: Attempt,
  { status, error }: Outcome,
  end: AttemptEnd | undefined,
  milliseconds: number,
): void {
  const final = end !== undefined && 'status' in end ? end.status : undefined;
  metrics.deliveryAttempts.observe({ outcome: error?.code ?? 'delivered' }, milliseconds / 1000);
  if (final !== undefined) metrics.deliveries.inc({ outcome: final });
  const facts = { account_id, delivery_id, attempt: attempts, status, error: error?.code, detail: error?.detail };
  if (error?.code === 'internal')
    log.error({ ...facts, err: describeError(error.cause) }, 'could not send a callback because of an internal error');
  else if (final === 'failed') log.warn(facts, 'could not send a callback; giving up');
  else log.debug(facts, error === undefined ? 'sent a callback' : 'could not send a callback; retrying');
}
