import type { ItemFailure, Outcome } from '../contacts/batch-state.ts';
import type { RequestCounts } from '../db/tables.ts';
import type { RequestResult, WaitingRequest } from './batch-store.ts';

type Counts = Omit<RequestCounts, 'total'>;

/** What became of the items of a batch, request by request. */
export class Tally {
  readonly #counts = new Map<number, Counts>();
  readonly #failures = new Map<number, { readonly index: number; readonly failures: readonly ItemFailure[] }[]>();

  /** Counts one item of a request (both by index); keeps `failures` when there are any. */
  add(request: number, index: number, outcome: Outcome, failures: readonly ItemFailure[]): this {
    const counts = this.#countsOf(request);
    counts[outcome]++;
    if (failures.length > 0) {
      if (outcome !== 'failed') counts.warnings += failures.length;
      this.#failuresOf(request).push({ index, failures });
    }
    return this;
  }

  /** Counts an item of a request differently: only when it was written could be seen what became of it. */
  recount(request: number, from: Outcome, to: Outcome): void {
    const counts = this.#countsOf(request);
    counts[from]--;
    counts[to]++;
  }

  /** Takes over what another tally has counted of the items that follow. */
  merge(other: Tally): this {
    for (const [request, counts] of other.#counts) {
      const mine = this.#countsOf(request);
      for (const name of Object.keys(counts) as (keyof Counts)[]) mine[name] += counts[name];
    }
    for (const [request, failures] of other.#failures) this.#failuresOf(request).push(...failures);
    return this;
  }

  /** The results of the requests of the batch; one of which nothing was counted could not be read, and has failed as a whole. */
  results(requests: readonly WaitingRequest[]): RequestResult[] {
    return requests.map((request, at) => {
      const { total } = request;
      const counts = this.#counts.get(at);
      return counts === undefined
        ? {
            request,
            status: 'failed',
            counts: { total, ...noCounts(), failed: total },
            failures: [{ index: 0, failures: [{ code: 'payload_unreadable' }] }],
          }
        : { request, status: 'done', counts: { total, ...counts }, failures: this.#failures.get(at) ?? [] };
    });
  }

  #countsOf(request: number): Counts {
    let counts = this.#counts.get(request);
    if (counts === undefined) this.#counts.set(request, (counts = noCounts()));
    return counts;
  }

  #failuresOf(request: number) {
    let failures = this.#failures.get(request);
    if (failures === undefined) this.#failures.set(request, (failures = []));
    return failures;
  }
}

function noCounts(): Counts {
  return { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 };
}
