import { performance } from 'node:perf_hooks';
import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { hour, minute } from '#platform/time/intervals.ts';

/** Milliseconds. Far less than the shortest age at which data is deleted, and far more than clocks drift. */
const maxDifference = hour;
/** Milliseconds between two warnings of a process. */
const warningInterval = 10 * minute;

const warnedAt = new WeakMap<pg.Pool, number>();

/**
 * True when the clocks of this process and of the database differ by up to an hour. Otherwise one of
 * them is wrong, and nobody knows how old anything is, so nothing may be deleted because of its age.
 * Then logs a warning that says what to do.
 */
export async function clocksAgree({ pool, now, log }: Pick<Context, 'pool' | 'now' | 'log'>): Promise<boolean> {
  const { rows } = await pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  const difference = now().getTime() - rows[0]!.ms;
  if (Math.abs(difference) <= maxDifference) return true;
  const time = performance.now();
  if (time - (warnedAt.get(pool) ?? Number.NEGATIVE_INFINITY) >= warningInterval) {
    warnedAt.set(pool, time);
    log.warn(
      { hours: Math.round(difference / hour) },
      'the clock of this process is this many hours ahead of the clock of the database, so old data is not deleted; set both clocks with NTP',
    );
  }
  return false;
}
