import type pg from 'pg';
import { checkSameAnswer, type Statement } from './plain-table.ts';
import type { SearchCase } from './search-cases.ts';
import { quantile, type BenchService } from './support.ts';

/** Returns times as cells of a table. */
export function milliseconds(...times: number[]): string {
  return times.map((time) => time.toFixed(1)).join(' | ');
}

/**
 * Returns the p50 and p95 of a search, and the p50 of each way to find the same with SQL, in turn in
 * one run.
 */
export async function measureSearch(
  service: BenchService,
  database: pg.Client,
  { name, body }: SearchCase,
  runs: number,
  ways: readonly ((run: number) => Statement[])[],
): Promise<readonly number[]> {
  const measured: number[] = [];
  const byHand = ways.map(() => [] as number[]);
  for (let run = -5; run < runs; run++) {
    // Search and SQL run in turn, so that all see the same state of the machine. The first five runs
    // warm up.
    const answer = await time(() => service.post('/contact/search', body(run)));
    if (run >= 0) measured.push(answer.milliseconds);
    for (const [at, statements] of ways.entries()) {
      const rows = await time(() =>
        Promise.all(statements(run).map(({ text, values }) => database.query({ text, values: [...values] }))),
      );
      checkSameAnswer(name, answer.result, rows.result);
      if (run >= 0) byHand[at]!.push(rows.milliseconds);
    }
  }
  return [quantile(measured, 0.5), quantile(measured, 0.95), ...byHand.map((times) => quantile(times, 0.5))];
}

/** Runs something, and returns its result and how long it took. */
export async function time<T>(run: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const started = performance.now();
  const result = await run();
  return { result, milliseconds: performance.now() - started };
}
