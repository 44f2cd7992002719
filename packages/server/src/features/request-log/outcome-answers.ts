import { failuresPerAnswer, type AcceptedAnswer, type WaitedOutcome } from '@roster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { disconnectSignal } from '#platform/http/connection/client-disconnect.ts';
import { leaveEarly } from '#platform/http/connection/request-slot.ts';
import { preferredWait } from '#platform/http/operations/prefer-wait.ts';
import type { Service } from '#platform/http/server/service.ts';
import { unlessAborted } from '#platform/loops/unless-aborted.ts';
import { noCounts } from '#pipeline/operations/request-counts.ts';
import type { FinishedRequest } from './finished-store.ts';
import { listFailures } from './log-store.ts';
import { failureView } from './log-view.ts';
import type { RequestWait } from './request-waits.ts';

/**
 * Adds the outcome to the answers of operations that only accept a request, if the caller prefers
 * to wait for it (`Prefer: wait=N`) and it comes in time. Call it before the routes.
 *
 * It runs after the handler has ended. So a waiting caller keeps no body in memory, and the deadline
 * of the handler does not limit the wait.
 */
export function answerOutcomes(app: FastifyInstance, { context }: Service): void {
  const add = (request: FastifyRequest, reply: FastifyReply, answer: unknown) =>
    addOutcome(context, request, reply, answer as AcceptedAnswer);
  app.addHook('onRoute', (route) => {
    const { waits, storesRequests } = route.config ?? {};
    if (waits === true && storesRequests === true) route.preSerialization = [route.preSerialization ?? [], add].flat();
  });
  app.addHook('preClose', async () => context.requestWaits.stop());
}

async function addOutcome(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AcceptedAnswer,
): Promise<AcceptedAnswer> {
  const seconds = reply.statusCode === 200 ? preferredWait(request.headers) : undefined;
  if (seconds === undefined) return answer;
  const accountId = accountOf(request);
  // The seconds begin when the call arrives (RFC 7240).
  const until = performance.now() - reply.elapsedTime + seconds * 1000;
  using wait = context.requestWaits.begin(accountId, { until, disconnect: disconnectSignal(reply.raw) });
  if (wait === undefined) return answer;
  reply.header('preference-applied', `wait=${seconds}`);
  leaveEarly(reply);
  const from = performance.now();
  try {
    const finished = await wait.find(answer.request_id);
    if (finished === undefined) return answer;
    return { ...answer, outcome: await outcomeOf(context, request, wait, finished) };
  } catch (error) {
    // The request is stored, and the caller must learn that.
    if (!wait.signal.aborted) {
      request.log.warn({ err: describeError(error) }, 'could not read the outcome of a request');
    }
    return answer;
  } finally {
    request.waited = performance.now() - from;
  }
}

/** Returns what the caller may see of a finished request. */
async function outcomeOf(
  { db, databaseTurns }: Context,
  request: FastifyRequest,
  wait: RequestWait,
  { accountId, requestId, status, counts, finishedAt }: FinishedRequest,
): Promise<WaitedOutcome> {
  const seen = { status, finished_at: finishedAt.toISOString() };
  // The counts and failures say who is stored in the account, which a key that only writes must not
  // learn.
  if (!mayReadRequests(request, accountId)) return seen;
  const shown = { ...seen, counts: { ...noCounts, ...counts } };
  if (counts.failed + counts.warnings === 0) return { ...shown, failures: [], failures_truncated: false };
  const load = () =>
    listFailures(db, accountId, requestId, { after: undefined, code: undefined }, failuresPerAnswer + 1);
  const rows = await unlessAborted(databaseTurns.run(accountId, wait.signal, load), wait.signal);
  return {
    ...shown,
    failures: rows.slice(0, failuresPerAnswer).map(failureView),
    failures_truncated: rows.length > failuresPerAnswer,
  };
}

/** Returns the account of a call of an API key, an operator or a person. */
function accountOf({ credential, params }: FastifyRequest): number {
  return credential?.accountId ?? (params as { readonly account_id: number }).account_id;
}

function mayReadRequests({ actor, credential }: FastifyRequest, accountId: number): boolean {
  return actor?.can('requests:read', accountId) ?? credential?.scopes.has('requests:read') ?? false;
}
