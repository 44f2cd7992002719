import type { HostileRequest } from './hostile-request.ts';

/** The run stops after this many different findings. */
const mostFindings = 40;

/** Longest part of a request that is printed, in bytes. */
const shownCharacters = 1500;

/** Collects findings, and prints each kind once. */
export class Findings {
  readonly #seed: number;
  readonly #write: (line: string) => void;
  readonly #counts = new Map<string, number>();

  constructor(seed: number, write: (line: string) => void) {
    this.#seed = seed;
    this.#write = write;
  }

  /** Number of different findings so far. */
  get size(): number {
    return this.#counts.size;
  }

  get isFull(): boolean {
    return this.size >= mostFindings;
  }

  /** Records a problem with the answer to a request. */
  add(request: HostileRequest, problem: string): void {
    const { target, index, draft, bytes } = request;
    if (!this.#isNew(`${target.name}: ${problem}`)) return;
    this.#write(`FOUND ${target.name}: ${problem}`);
    this.#write(`  repeat it: npm run test:fuzz -- --seed ${this.#seed} --start ${index} --count 1`);
    this.#write(`  changed: ${draft.changes.join(', ') || 'nothing'}`);
    this.#write(
      `  request: ${JSON.stringify(bytes.subarray(0, shownCharacters).toString())}${bytes.length > shownCharacters ? ` … ${bytes.length} bytes` : ''}`,
    );
  }

  /**
   * Records a problem that belongs to no single request. `from` is the index of the next request at
   * that time.
   */
  addGeneral(problem: string, from: number): void {
    if (!this.#isNew(problem)) return;
    this.#write(`FOUND ${problem}`);
    this.#write(
      `  this may repeat it: npm run test:fuzz -- --seed ${this.#seed} --start ${Math.max(0, from - 2000)} --count 4000`,
    );
  }

  /** Returns each finding with the number of times that it occurred. */
  list(): string[] {
    return [...this.#counts].map(([finding, count]) => `${count} × ${finding.slice(0, 200)}`);
  }

  #isNew(finding: string): boolean {
    // Findings that differ only in numbers and identifiers are of the same kind.
    const kind = finding.slice(0, 300).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, 'N');
    const before = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, before + 1);
    return before === 0 && this.#counts.size <= mostFindings;
  }
}
