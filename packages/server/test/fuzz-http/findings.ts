import type { HostileRequest } from './hostile-request.ts';

/** Different findings that are shown; after so many the run gives up. */
const mostFindings = 40;

/** Characters of a request that are shown. */
const shownCharacters = 1500;

/** What was found, each kind once. */
export class Findings {
  readonly #seed: number;
  readonly #write: (line: string) => void;
  readonly #counts = new Map<string, number>();

  constructor(seed: number, write: (line: string) => void) {
    this.#seed = seed;
    this.#write = write;
  }

  /** Different findings so far. */
  get size(): number {
    return this.#counts.size;
  }

  get isFull(): boolean {
    return this.size >= mostFindings;
  }

  /** Notes a problem with the answer to a request. */
  add(request: HostileRequest, problem: string): void {
    const { target, index, draft, bytes } = request;
    if (!this.#isNew(`${target.name}: ${problem}`)) return;
    this.#write(`FOUND ${target.name}: ${problem}`);
    this.#write(`  again: npm run test:fuzz -- --seed ${this.#seed} --start ${index} --count 1`);
    this.#write(`  changed: ${draft.changes.join(', ') || 'nothing'}`);
    this.#write(
      `  request: ${JSON.stringify(bytes.subarray(0, shownCharacters).toString())}${bytes.length > shownCharacters ? ` … ${bytes.length} bytes` : ''}`,
    );
  }

  /** Notes a problem that belongs to no single request; `from` is an index before it. */
  addGeneral(problem: string, from: number): void {
    if (!this.#isNew(problem)) return;
    this.#write(`FOUND ${problem}`);
    this.#write(
      `  again, perhaps: npm run test:fuzz -- --seed ${this.#seed} --start ${Math.max(0, from - 2000)} --count 4000`,
    );
  }

  /** Each finding with how often it was seen. */
  list(): string[] {
    return [...this.#counts].map(([finding, count]) => `${count} × ${finding.slice(0, 200)}`);
  }

  #isNew(finding: string): boolean {
    // Numbers and identifiers differ from time to time.
    const kind = finding.slice(0, 300).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, 'N');
    const before = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, before + 1);
    return before === 0 && this.#counts.size <= mostFindings;
  }
}
