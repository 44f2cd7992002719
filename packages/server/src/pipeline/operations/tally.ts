import { keptWarnings, type FailureCode } from '@roster/contract';
import type { ItemFailure, Outcome } from './item-result.ts';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import { failedCounts, noCounts } from './request-counts.ts';
import type { ItemFailures, RequestResult } from './request-result.ts';
import { isGivenUp, type WaitingRequest } from './waiting-request.ts';

/** The counts of one request so far. */
interface RequestTally {
  readonly counts: Omit<RequestCounts, 'total'>;
  readonly failures: ItemFailures[];
  /** Number of warnings in {@link failures}. */
  warnings: number;
  /** The attributes that an update has changed; undefined for other requests. */
  attributeIds?: number[];
  /** The contacts that its items touched, maybe repeated. */
  contactIds?: readonly number[];
}

/** Counts the results of the items of a batch, for each request. */
export class Tally {
  readonly #requests = new Map<number, RequestTally>();
  readonly #refused = new Map<number, FailureCode>();

  /** Counts the item `index` of a request. Keeps all its failures, but only the first warnings. */
  add(request: number, index: number, outcome: Outcome, failures: readonly ItemFailure[]): this {
    const tally = this.#of(request);
    tally.counts[outcome]++;
    if (failures.length > 0) {
      const warnings = outcome !== 'failed';
      if (warnings) tally.counts.warnings += failures.length;
      keep(tally, { index, warnings, failures });
    }
    return this;
  }

  /** Counts an item as unchanged instead of created, when it turns out that it was stored before. */
  wasStored(request: number): void {
    const { counts } = this.#of(request);
    counts.created--;
    counts.unchanged++;
  }

  /** Notes the next attribute that an update has changed. */
  changed(request: number, attributeId: number): void {
    (this.#of(request).attributeIds ??= []).push(attributeId);
  }

  /** Notes the contacts that the items of a request touched. */
  touched(request: number, contactIds: readonly number[]): void {
    const tally = this.#of(request);
    tally.contactIds = [...(tally.contactIds ?? []), ...contactIds];
  }

  /** Fails a request as a whole. */
  refuse(request: number, code: FailureCode): this {
    this.#refused.set(request, code);
    return this;
  }

  /** Adds the counts of another tally. Its items come after the items of this tally. */
  merge(other: Tally): this {
    for (const [request, { counts, failures, contactIds }] of other.#requests) {
      const mine = this.#of(request);
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) mine.counts[name] += counts[name];
      for (const item of failures) keep(mine, item);
      if (contactIds !== undefined) this.touched(request, contactIds);
    }
    return this;
  }

  /** Returns the results of the requests. A request without counted items has failed as a whole. */
  results(requests: readonly WaitingRequest[]): RequestResult[] {
    return requests.map((request, at) => {
      const { total } = request;
      const tally = this.#requests.get(at);
      if (tally !== undefined) {
        const { counts, failures, attributeIds = null, contactIds = [] } = tally;
        return {
          request,
          status: 'done',
          counts: { total, ...counts },
          failures: failures.map((item) => ({ ...item, index: request.itemIndexes?.[item.index] ?? item.index })),
          attributeIds,
          contactIds,
        };
      }
      const code = this.#refused.get(at) ?? (isGivenUp(request) ? 'given_up' : 'payload_unreadable');
      return {
        request,
        status: 'failed',
        counts: failedCounts(total),
        // The other parts of the request can succeed, so a part has a failure for each of its items.
        failures: (request.itemIndexes ?? [0]).map((index) => ({ index, warnings: false, failures: [{ code }] })),
        attributeIds: null,
        contactIds: [],
      };
    });
  }

  #of(request: number): RequestTally {
    let tally = this.#requests.get(request);
    if (tally === undefined)
      this.#requests.set(request, (tally = { counts: { ...noCounts }, failures: [], warnings: 0 }));
    return tally;
  }
}

/** Keeps all failures of an item, but only the first warnings, to limit the memory. */
function keep(tally: RequestTally, item: ItemFailures): void {
  if (!item.warnings) {
    tally.failures.push(item);
    return;
  }
  const failures = item.failures.slice(0, Math.min(keptWarnings.perItem, keptWarnings.perRequest - tally.warnings));
  if (failures.length === 0) return;
  tally.failures.push({ ...item, failures });
  tally.warnings += failures.length;
}
