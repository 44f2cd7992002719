import type { Plan } from './plan.ts';
import type { LoadedAccount } from './journal.ts';
import { isReady, operator, type Target } from './target.ts';
import { until } from './wait.ts';

/** A request as the operator API lists it. */
interface LoggedRequest {
  readonly request_id: string;
  readonly status: string;
  readonly finished_at: string | null;
  readonly counts: Readonly<Record<string, number>>;
}

/** Waits until every accepted request of the accounts is applied. */
export async function waitUntilDrained(target: Target, accountIds: readonly number[]): Promise<void> {
  await until('the pipeline is empty', 120_000, async () => {
    if (!(await isReady(target.urls[0]!))) return false;
    for (const accountId of accountIds) {
      const { data } = await operator(target, 'GET', `/accounts/${accountId}/requests?status=accepted&limit=1`);
      if ((data as unknown[]).length > 0) return false;
    }
    return true;
  });
}

/** The newest request of an account, or undefined. */
export async function newestRequest(target: Target, accountId: number): Promise<string | undefined> {
  const { data } = await operator(target, 'GET', `/accounts/${accountId}/requests?limit=1`);
  return (data as LoggedRequest[])[0]?.request_id;
}

/** The requests in the log since the last check, newest first. */
async function requestsSince(target: Target, accountId: number, last: string | undefined): Promise<LoggedRequest[]> {
  const requests: LoggedRequest[] = [];
  for (let cursor = ''; ;) {
    const answer = await operator(target, 'GET', `/accounts/${accountId}/requests?limit=500${cursor}`);
    for (const request of answer['data'] as LoggedRequest[]) {
      if (request.request_id === last) return requests;
      requests.push(request);
    }
    if (typeof answer['next_cursor'] !== 'string') return requests;
    cursor = `&cursor=${answer['next_cursor']}`;
  }
}

/**
 * Compares the request log of an account with the answers that its writers got. Returns the
 * problems.
 *
 * Every accepted request must be in the log once, done, with exactly the expected counts. A request
 * that was applied twice would have changed nothing the second time. Requests that no writer knows
 * must be unanswered requests that were applied.
 */
export async function checkRequestLog(
  target: Target,
  { accountId, buckets, journal }: LoadedAccount,
  appliedUnanswered: readonly Plan[],
): Promise<string[]> {
  const problems: string[] = [];
  const logged = await requestsSince(target, accountId, journal.lastLogged);
  const byId = new Map(logged.map((request) => [request.request_id, request]));
  if (byId.size !== logged.length) problems.push('the log lists a request twice');
  const lastFinished = new Map<string, string>();
  for (const [requestId, { plan, writer }] of journal.accepted) {
    const request = byId.get(requestId);
    if (request === undefined) {
      problems.push(`request ${requestId} of ${writer} was answered with 200 and is not in the log`);
      continue;
    }
    problems.push(...outcomeProblems(request, plan));
    // The requests of one writer were accepted one after the other, so they must end in that order.
    // With several buckets, only the order of each contact is certain, which its state shows.
    const finished = request.finished_at ?? '';
    if (buckets === 1 && finished < (lastFinished.get(writer) ?? '')) {
      problems.push(`request ${requestId} of ${writer} ended before one that was accepted before it`);
    }
    lastFinished.set(writer, finished);
  }
  const untold = logged.filter(({ request_id }) => !journal.accepted.has(request_id));
  for (const request of untold) {
    if (request.status !== 'done') problems.push(`request ${request.request_id} is ${request.status}`);
  }
  if (untold.length !== appliedUnanswered.length) {
    problems.push(
      `${appliedUnanswered.length} requests without an answer were applied, and ${untold.length} are in the log`,
    );
  }
  journal.lastLogged = logged[0]?.request_id ?? journal.lastLogged;
  return problems;
}

function outcomeProblems({ request_id, status, counts }: LoggedRequest, plan: Plan): string[] {
  const { created, updated, deleted } = plan.counts;
  const expected = {
    total: created + updated + deleted,
    created,
    updated,
    unchanged: 0,
    deleted,
    failed: 0,
    warnings: 0,
  };
  const isRight = Object.entries(expected).every(([name, count]) => counts[name] === count);
  if (status === 'done' && isRight) return [];
  return [
    `${plan.path} ${request_id} is ${status} with ${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`,
  ];
}
