import type { Outcome } from './connection.ts';
import type { HostileRequest } from './hostile-request.ts';

/** Counts requests and answers. */
export class Statistics {
  readonly #statuses = new Map<string, number>();
  readonly #slowest = new Map<string, number>();
  readonly #targets = new Map<string, number>();
  /**
   * Number of answers by duration. A class spans a factor of 2^(1/4), which is exact enough for
   * percentiles.
   */
  readonly #times = new Map<number, number>();
  #answers = 0;

  add({ target }: HostileRequest, outcome: Outcome): void {
    const status = outcome.kind === 'answered' ? String(outcome.status) : outcome.kind;
    increase(this.#statuses, status);
    increase(this.#targets, target.name);
    this.#slowest.set(target.name, Math.max(this.#slowest.get(target.name) ?? 0, outcome.milliseconds));
    if (outcome.kind !== 'answered') return;
    this.#answers++;
    increase(this.#times, Math.round(Math.log2(Math.max(0.1, outcome.milliseconds)) * 4));
  }

  /** Names of the targets that received at least one request. */
  get targets(): ReadonlySet<string> {
    return new Set(this.#targets.keys());
  }

  /** Describes the number of answers by status, their durations, and the slowest operations. */
  lines(): string[] {
    const statuses = [...this.#statuses]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([status, count]) => `${status}: ${count.toLocaleString('en')}`);
    const slowest = [...this.#slowest].sort(([, one], [, other]) => other - one).slice(0, 5);
    return [
      `answers: ${statuses.join(', ')}`,
      `time: p50 ${this.#percentile(0.5)} ms, p99 ${this.#percentile(0.99)} ms, p99.9 ${this.#percentile(0.999)} ms; slowest: ` +
        slowest.map(([name, milliseconds]) => `${name} ${Math.round(milliseconds)} ms`).join(', '),
    ];
  }

  #percentile(share: number): string {
    let left = this.#answers * share;
    for (const [time, count] of [...this.#times].sort(([one], [other]) => one - other)) {
      left -= count;
      if (left <= 0) return Number((2 ** (time / 4)).toPrecision(2)).toString();
    }
    return '0';
  }
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
